import { createCommand } from "../item/write/commands.ts";

export const command = createCommand("document");
