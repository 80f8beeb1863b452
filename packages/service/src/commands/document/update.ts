import { updateCommand } from "../../domain/item/commands.ts";

export const command = updateCommand("document");
