import type { Command } from "../../domain/command.ts";
import { createShape, wantShape } from "../../domain/shape/write.ts";

export const command: Command<"shape/create"> = { keys: wantShape, execute: createShape };
