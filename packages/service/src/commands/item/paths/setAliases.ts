import type { Command } from "../../../domain/command.ts";
import { aliasesCommand } from "../../../domain/item/alias-commands.ts";

export const command: Command<"item/paths/setAliases"> = aliasesCommand("set");
