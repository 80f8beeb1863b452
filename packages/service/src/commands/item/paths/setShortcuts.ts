import type { Command } from "../../command.ts";
import { shortcutsCommand } from "./shortcuts.ts";

export const command: Command<"item/paths/setShortcuts"> = shortcutsCommand("set");
