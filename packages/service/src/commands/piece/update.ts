import { pieceCommands } from "../../domain/piece/commands.ts";

export const command = pieceCommands.update;
