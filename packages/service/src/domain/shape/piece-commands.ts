import { type Payload, quoted, type Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type PieceRow, pieces } from "../../storage/collections/pieces.ts";
import { newId } from "../../storage/ids.ts";
import { countContent, shapesWithPiece, usersOfPiece } from "../../storage/queries/content-counts.ts";
import { holdRows } from "../../storage/queries/hold.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { noteParts, unknownPart } from "../content/unknown-part.ts";
import { merge } from "../merge.ts";
import { refuseUsed } from "../payload/in-use.ts";
import { writeCommands } from "../write-commands.ts";
import {
  checkDefinitions,
  checkIdentifier,
  keyed,
  prefetchPieces,
  refuseCircle,
  requireRenamed,
} from "./content-model.ts";
import { lostByPiece, sharedByPiece } from "./lost-content.ts";

type PiecePayload = Payload<"piece/upsert">;

function prefetchPiece({ identifier, components }: Written<PiecePayload>, prefetch: Prefetch): void {
  prefetch(pieces, "key", [identifier]);
  prefetchPieces(components, prefetch);
}

async function createPiece({ unit, now }: CommandContext, payload: PiecePayload): Promise<CommandResult> {
  const { identifier, name, components } = payload;
  if ((await unit.get(pieces, identifier)) !== undefined)
    reject("PieceIdentifierTakenError", `A piece "${identifier}" exists already`, ["identifier"]);
  checkIdentifier(identifier);
  await refuseCircle(unit, identifier, components);
  await checkDefinitions(unit, { components });
  const times = { createdAt: now, updatedAt: now };
  noteParts(unit, "piece");
  unit.insert(pieces, { identifier, revision: newId(), name, components: components ?? [], ...times });
  return { action: "created", output: { identifier } };
}

/**
 * A list of components replaces the stored one; an absent one keeps it. When components are removed, `orphaned` in the
 * output counts the items that have content in them, through every piece and shape that uses the piece. When languages
 * begin to share content, `differing` counts the items whose languages differ.
 */
async function updatePiece(
  { unit, now }: CommandContext,
  piece: PieceRow,
  { name, components }: PiecePayload,
): Promise<CommandResult> {
  const { identifier } = piece;
  const uses = await refuseCircle(unit, identifier, components);
  await checkDefinitions(unit, { components });
  const changed = merge(piece, { name, components: keyed(components, piece.components) }, now);
  if (changed !== undefined && uses.size > 0) await holdRows(unit, pieces, [identifier, ...uses]);
  if (changed !== undefined) unit.update(pieces, { ...changed, revision: newId() });
  const lost = lostByPiece(identifier, piece.components, (changed ?? piece).components);
  const shared = sharedByPiece(identifier, piece.components, (changed ?? piece).components);
  const users = lost.length + shared.length > 0 ? await shapesWithPiece(unit, identifier) : [];
  const output = {
    id: { identifier },
    identifier,
    type: "piece",
    name,
    ...(lost.length > 0 && { orphaned: await countContent(unit, "held", users, lost) }),
    ...(shared.length > 0 && { differing: await countContent(unit, "differing", users, shared) }),
  };
  return { action: changed ? "updated" : "unchanged", output };
}

/** The piece with this identifier; rejects with `PieceNotFoundError`. */
const requireStoredPiece = async (unit: UnitOfWork, identifier: string): Promise<PieceRow> =>
  (await unit.get(pieces, identifier)) ?? refuseMissing(unit, identifier);

const refuseMissing = async (unit: UnitOfWork, identifier: string): Promise<never> =>
  reject("PieceNotFoundError", await unknownPart(unit, "piece", identifier), ["identifier"]);

export const pieceCommands = writeCommands({
  keys: prefetchPiece,
  find: (unit, { identifier }) => unit.get(pieces, identifier),
  missing: ({ identifier }, unit) => refuseMissing(unit, identifier),
  create: createPiece,
  update: updatePiece,
});

/** Gives a component another id, in every shape and piece that uses the piece. */
export const renamePieceComponent: Command<"piece/component/rename"> = {
  keys: ({ identifier }, prefetch) => prefetch(pieces, "key", [identifier]),
  async execute({ unit, now }, { identifier, from, to }) {
    const piece = await requireStoredPiece(unit, identifier);
    const { components } = piece;
    const { lists, places } = requireRenamed({
      owner: `piece ${quoted(identifier)}`,
      lists: { components },
      from,
      to,
    });
    const output = { identifier, renamed: places };
    if (places.from === places.to) return { action: "unchanged", output };
    unit.update(pieces, { ...piece, ...lists, revision: newId(), updatedAt: now });
    return { action: "updated", output };
  },
};

/** Deletes a piece that no shape or other piece uses. */
export const deletePiece: Command<"piece/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(pieces, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key constraint stops another writer from using the piece.
    unit.requireLock("exclusive");
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
