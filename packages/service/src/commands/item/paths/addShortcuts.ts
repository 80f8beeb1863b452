import type { Command } from "../../command.ts";
import { shortcutsCommand } from "./shortcuts.ts";

export const command: Command<"item/paths/addShortcuts"> = shortcutsCommand("add");
