import { upsertCommand } from "../../domain/item/item-commands.ts";

export const command = upsertCommand("document");
