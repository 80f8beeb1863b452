import type { Command } from "../../../domain/command.ts";
import { historyCommand } from "../../../domain/item/history-commands.ts";

export const command: Command<"item/paths/setHistory"> = historyCommand("set");
