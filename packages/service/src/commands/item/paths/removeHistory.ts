import type { Command } from "../../command.ts";
import { historyCommand } from "./history.ts";

export const command: Command<"item/paths/removeHistory"> = historyCommand("remove");
