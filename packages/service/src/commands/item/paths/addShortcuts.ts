import type { Command } from "../../../domain/command.ts";
import { shortcutsCommand } from "../../../domain/item/shortcut-commands.ts";

export const command: Command<"item/paths/addShortcuts"> = shortcutsCommand("add");
