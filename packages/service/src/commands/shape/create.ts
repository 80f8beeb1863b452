import type { Command } from "../command.ts";
import { createShape, wantShape } from "./write.ts";

export const command: Command<"shape/create"> = { keys: wantShape, execute: createShape };
