import type { Command } from "../../domain/command.ts";
import { noteParts } from "../../domain/content/unknown-part.ts";
import { refuseUsed } from "../../domain/payload/in-use.ts";
import { requireStoredPiece } from "../../domain/shape/piece-commands.ts";
import { pieces } from "../../storage/collections/pieces.ts";
import { usersOfPiece } from "../../storage/queries/content-counts.ts";

/** Deletes a piece that no shape and no other piece uses. */
export const command: Command<"piece/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(pieces, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key stops another writer from using the piece.
    unit.needTurn("alone");
    const piece = await requireStoredPiece(unit, identifier);
    await refuseUsed(
      "PieceInUseError",
      { what: "piece", identifier, remedy: "take it out of their components first" },
      (most) => usersOfPiece(unit, identifier, most),
    );
    unit.remove(pieces, piece);
    noteParts(unit, "piece");
    return { action: "deleted", output: { identifier } };
  },
};
