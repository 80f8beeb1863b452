import {
  type ComponentDefinition,
  type Renamed,
  renameComponent,
  validateDefinitions,
  type Written,
  withKeys,
} from "@lading/schema/internal";
import { codeOf, type Problem, reject, rejectAll } from "../../errors.ts";
import { type PieceRow, pieces } from "../../storage/collections/pieces.ts";
import { newId } from "../../storage/ids.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { unknownPart } from "../content/unknown-part.ts";
import { pieceUses } from "../content-rules/references.ts";
import { refuseNewKey } from "../payload/new-key.ts";

type Definitions = readonly ComponentDefinition[];

/** The characters allowed in identifiers of shapes and pieces. */
const identifierPattern = /^[\p{L}\p{N} _.;:+@()-]+$/u;

/** Rejects a new identifier of a shape or piece with an invalid character (`InvalidIdError`). */
export function checkIdentifier(identifier: string): void {
  refuseNewKey(identifier, "identifier");
  if (identifierPattern.test(identifier)) return;
  const message = `"${identifier}" cannot be an identifier: use letters, digits, spaces and _ . ; : + @ ( ) -`;
  reject("InvalidIdError", message, ["identifier"]);
}

/** Declares the pieces that definitions use, directly or through other pieces. */
export function prefetchPieces(
  definitions: Written<Definitions> | null | undefined,
  prefetch: Prefetch,
): void {
  for (const { identifier } of pieceUses(definitions)) prefetch(pieces, "key", [identifier], followPiece);
}

const followPiece = ({ components }: PieceRow, prefetch: Prefetch) => prefetchPieces(components, prefetch);

/**
 * Rejects definitions that break a rule (`ValidationError`) or use unknown pieces (`PieceNotFoundError`). `lists` has
 * the payload's lists by name.
 */
export async function checkDefinitions(
  unit: UnitOfWork,
  lists: Readonly<Record<string, Definitions | null | undefined>>,
): Promise<void> {
  const broken = Object.entries(lists).flatMap(([name, list]) => validateDefinitions(list ?? [], [name]));
  if (broken.length > 0) rejectAll("ValidationError", broken);
  await requirePieces(unit, lists);
}

/** Rejects definitions that use unknown pieces (`PieceNotFoundError`). */
export async function requirePieces(
  unit: UnitOfWork,
  lists: Readonly<Record<string, Definitions | null | undefined>>,
): Promise<void> {
  const missing: Problem[] = [];
  for (const { identifier, path } of pieceUses(lists)) {
    if ((await unit.get(pieces, identifier)) !== undefined) continue;
    const message = `${await unknownPart(unit, "piece", identifier)} Create it before what uses it.`;
    missing.push({ code: codeOf("PieceNotFoundError"), message, path });
  }
  if (missing.length > 0) rejectAll("PieceNotFoundError", missing);
}

/** The definitions to store for an update's list, with the keys of those that they replace; undefined: not sent. */
export const keyed = (next: Definitions | null | undefined, former: Definitions) =>
  next === undefined ? undefined : withKeys(next ?? [], former, newId);

/** Gives a component another id; rejects one that is missing, and an id that cannot be or is taken. */
export function requireRenamed<List extends string>(
  renaming: Parameters<typeof renameComponent<List>>[0],
): Renamed<List> {
  const outcome = renameComponent(renaming);
  if ("refused" in outcome) return rejectAll(refusals[outcome.refused.code], [outcome.refused]);
  if (outcome.places.from !== outcome.places.to) refuseNewKey(renaming.to, "to");
  return outcome;
}

const refusals = {
  ComponentNotFound: "ComponentNotFoundError",
  ComponentIdTaken: "ComponentIdTakenError",
  InvalidValue: "ValidationError",
} as const;

/**
 * Rejects components of a piece, `own`, that lead back to it (`ValidationError`). Returns the pieces they lead to. The
 * caller must lock them before it changes the piece, so that none of them starts to use it meanwhile.
 */
export async function refuseCircle(
  unit: UnitOfWork,
  own: string,
  components: Definitions | null | undefined,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (const { identifier, path } of pieceUses(components, ["components"])) {
    if (!(await leadsTo(unit, identifier, own, seen))) continue;
    const way = identifier === own ? "" : `, through "${identifier}"`;
    reject("ValidationError", `The piece "${own}" would contain itself${way}`, path);
  }
  return seen;
}

/** True when a piece leads to another. Adds all visited pieces to `seen`, so that each is visited once. */
async function leadsTo(unit: UnitOfWork, from: string, to: string, seen: Set<string>): Promise<boolean> {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  const piece = await unit.get(pieces, from);
  for (const { identifier } of pieceUses(piece?.components))
    if (await leadsTo(unit, identifier, to, seen)) return true;
  return false;
}
