import { reject } from "../../errors.ts";
import { unknownPart } from "../../rules/unknown-part.ts";
import { pieces } from "../../storage/collections/pieces.ts";
import type { Command } from "../command.ts";
import { updatePiece, wantPiece } from "./write.ts";

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
