import type { Command } from "../../domain/command.ts";
import { createPiece, wantPiece } from "../../domain/piece/commands.ts";

export const command: Command<"piece/create"> = { keys: wantPiece, execute: createPiece };
