import { updateCommand } from "../../domain/item/item-commands.ts";

export const command = updateCommand("document");
