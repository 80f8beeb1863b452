import { pieces } from "../../storage/collections/pieces.ts";
import type { Command } from "../command.ts";
import { createPiece, updatePiece, wantPiece } from "./write.ts";

export const command: Command<"piece/upsert"> = {
  keys: wantPiece,
  async execute(context, payload) {
    const piece = await context.unit.get(pieces, payload.identifier);
    return piece === undefined ? createPiece(context, payload) : updatePiece(context, piece, payload);
  },
};
