import { pieceCommands } from "../../domain/shape/piece-commands.ts";

export const command = pieceCommands.create;
