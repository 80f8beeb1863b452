import { upsertCommand } from "../../domain/item/commands.ts";

export const command = upsertCommand("product");
