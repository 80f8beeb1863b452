import { upsertCommand } from "../item/write/commands.ts";

export const command = upsertCommand("document");
