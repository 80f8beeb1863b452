import { createCommand } from "../../domain/item/item-commands.ts";

export const command = createCommand("document");
