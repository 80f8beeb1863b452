import type { Command } from "../../../domain/command.ts";
import { aliasesCommand } from "../../../domain/path/alias-commands.ts";

export const command: Command<"item/paths/setAliases"> = aliasesCommand("set");
