import { updateCommand } from "../item/write/commands.ts";

export const command = updateCommand("product");
