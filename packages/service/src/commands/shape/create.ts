import type { Command } from "../../domain/command.ts";
import { createShape, wantShape } from "../../domain/shape/commands.ts";

export const command: Command<"shape/create"> = { keys: wantShape, execute: createShape };
