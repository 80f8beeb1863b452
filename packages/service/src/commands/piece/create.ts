import type { Command } from "../command.ts";
import { createPiece, wantPiece } from "./write.ts";

export const command: Command<"piece/create"> = { keys: wantPiece, execute: createPiece };
