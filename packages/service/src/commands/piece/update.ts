import type { Command } from "../../domain/command.ts";
import { unknownPart } from "../../domain/content/unknown-part.ts";
import { updatePiece, wantPiece } from "../../domain/piece/commands.ts";
import { reject } from "../../errors.ts";
import { pieces } from "../../storage/collections/pieces.ts";

export const command: Command<"piece/update"> = {
  keys: wantPiece,
  async execute(context, payload) {
    const piece = await context.unit.get(pieces, payload.identifier);
    if (piece === undefined)
      reject("PieceNotFoundError", await unknownPart(context.unit, "piece", payload.identifier), [
        "identifier",
      ]);
    return updatePiece(context, piece, payload);
  },
};
