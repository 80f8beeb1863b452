import type { Command } from "../../domain/command.ts";
import { createPiece, updatePiece, wantPiece } from "../../domain/piece/commands.ts";
import { pieces } from "../../storage/collections/pieces.ts";

export const command: Command<"piece/upsert"> = {
  keys: wantPiece,
  async execute(context, payload) {
    const piece = await context.unit.get(pieces, payload.identifier);
    return piece === undefined ? createPiece(context, payload) : updatePiece(context, piece, payload);
  },
};
