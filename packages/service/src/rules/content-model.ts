import type { ComponentDefinition } from "@lading/schema";
import { type ErrorDetail, reject, rejectAll } from "../errors.ts";
import { type PieceRow, pieces } from "../storage/collections/pieces.ts";
import type { UnitOfWork, Want } from "../storage/unit-of-work.ts";
import { piecesInDefinitions, validateDefinitions } from "./content/index.ts";

type Definitions = readonly ComponentDefinition[];

/** Letters, digits, and the signs that identifiers of shapes and pieces are written with. */
const identifierPattern = /^[\p{L}\p{N} _.;:+@()-]+$/u;

/** Rejects with `InvalidIdError` when a shape's or piece's identifier has a sign that is not allowed. */
export function checkIdentifier(identifier: string): void {
  if (identifierPattern.test(identifier)) return;
  const message = `"${identifier}" cannot be an identifier: use letters, digits, spaces and _ . ; : + @ ( ) -`;
  reject("InvalidIdError", message, ["identifier"]);
}

/** Declares the pieces that definitions use, and those that these use in turn. */
export function wantPieces(definitions: Definitions | null | undefined, want: Want): void {
  for (const identifier of piecesInDefinitions(definitions ?? []))
    want(pieces, "key", [identifier], followPiece);
}

const followPiece = ({ components }: PieceRow, want: Want) => wantPieces(components, want);

/**
 * Rejects with `ValidationError` when definitions break a rule, with `PieceNotFoundError` when they use a piece that
 * does not exist. `lists` are named as in the payload; `own` is the piece that they are written for, which they may
 * not lead back to.
 */
export async function checkDefinitions(
  unit: UnitOfWork,
  lists: Readonly<Record<string, Definitions | null | undefined>>,
  own?: string,
): Promise<void> {
  const errors: ErrorDetail[] = [];
  for (const [name, definitions] of Object.entries(lists))
    errors.push(...validateDefinitions(definitions ?? [], [name]));
  if (errors.length > 0) rejectAll("ValidationError", errors);
  for (const [name, definitions] of Object.entries(lists))
    for (const identifier of piecesInDefinitions(definitions ?? []))
      await checkPiece(unit, identifier, name, own);
}

async function checkPiece(
  unit: UnitOfWork,
  identifier: string,
  list: string,
  own: string | undefined,
): Promise<void> {
  if (identifier === own) reject("ValidationError", `The piece "${own}" cannot contain itself`, [list]);
  if ((await unit.get(pieces, identifier)) === undefined)
    reject("PieceNotFoundError", `There is no piece "${identifier}"; create it before what uses it`, [list]);
  if (own !== undefined && (await leadsTo(unit, identifier, own, new Set())))
    reject("ValidationError", `The piece "${own}" would contain itself, through "${identifier}"`, [list]);
}

async function leadsTo(unit: UnitOfWork, from: string, to: string, seen: Set<string>): Promise<boolean> {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  const piece = await unit.get(pieces, from);
  for (const next of piecesInDefinitions(piece?.components ?? []))
    if (await leadsTo(unit, next, to, seen)) return true;
  return false;
}
