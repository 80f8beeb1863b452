import { createCommand } from "../../domain/item/commands.ts";

export const command = createCommand("product");
