import type { Command } from "../../command.ts";
import { aliasesCommand } from "./aliases.ts";

export const command: Command<"item/paths/addAliases"> = aliasesCommand("add");
