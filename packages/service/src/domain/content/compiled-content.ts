import {
  type CompiledContent,
  type ComponentContent,
  type ComponentDefinition,
  compileContent,
  isShared,
  type PieceLookup,
} from "@lading/schema/internal";
import { type PieceRow, pieces } from "../../storage/collections/pieces.ts";
import { type ShapeRow, shapes } from "../../storage/collections/shapes.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { type Conversion, withoutOrphans } from "../content-rules/orphans.ts";
import { piecesInDefinitions } from "../content-rules/references.ts";
import { sharesContent } from "../content-rules/shared.ts";

/** The two lists of components of a shape: for its items, and for the variants of its products. */
export type ComponentList = "components" | "variantComponents";

interface Compiled {
  content: CompiledContent;
  /** The identifiers of pieces that the components use directly. */
  pieces: readonly string[];
  /** True if languages share content of a component in the list itself. */
  shares: boolean;
}

/** Compiled rules by revision. Every change of a shape or piece makes a new revision, so entries are never stale. */
const caches = { components: new Map<string, Compiled>(), variantComponents: new Map<string, Compiled>() };
const cacheSize = 1_000;

function compiled(
  revision: string,
  list: ComponentList,
  definitions: readonly ComponentDefinition[],
): Compiled {
  const cache = caches[list];
  let rules = cache.get(revision);
  if (rules === undefined) {
    if (cache.size >= cacheSize) cache.clear();
    const pieces = piecesInDefinitions(definitions);
    rules = { content: compileContent(definitions), pieces, shares: definitions.some(isShared) };
    cache.set(revision, rules);
  }
  return rules;
}

const compiledPiece = ({ revision, components }: PieceRow) => compiled(revision, "components", components);

export const compiledShape = (shape: ShapeRow, list: ComponentList): Compiled =>
  compiled(shape.revision, list, shape[list]);

/**
 * Declares a shape and the pieces its content can contain. Calls back if languages share content of any of these, so
 * that the caller can declare the other languages.
 */
export function prefetchShape(
  identifier: string,
  prefetch: Prefetch,
  ifShared?: (prefetch: Prefetch) => void,
): void {
  const follow = ifShared && sharing.has(identifier) ? followShapeIfShared(ifShared) : followShape;
  prefetch(shapes, "key", [identifier], follow);
}

/**
 * Identifiers of shapes, of any tenant, that may share content. Others are not prefetched: few shapes share content,
 * and following each costs more than the few look-ups for shapes not seen yet.
 */
const sharing = new Set<string>();

function noteSharing({ identifier }: ShapeRow): void {
  if (sharing.size >= cacheSize) sharing.clear();
  sharing.add(identifier);
}

const followShapeIfShared =
  (ifShared: (prefetch: Prefetch) => void) => (shape: ShapeRow, prefetch: Prefetch) => {
    followShape(shape, prefetch);
    for (const list of lists)
      if (mayShare(shape, list)) followShared(compiledShape(shape, list), prefetch, ifShared);
  };

const lists = ["components", "variantComponents"] as const;

/** False if languages cannot share content of a list of components. */
export function mayShare(shape: ShapeRow, list: ComponentList): boolean {
  const { shares, pieces } = compiledShape(shape, list);
  return shares || pieces.length > 0;
}

/**
 * Calls back if a list of components or a piece in it shares content. Visits each piece once, as pieces may be
 * circular.
 */
function followShared(rules: Compiled, prefetch: Prefetch, ifShared: (prefetch: Prefetch) => void): void {
  const followPiece = (piece: PieceRow, prefetch: Prefetch) => followRules(compiledPiece(piece), prefetch);
  const followRules = ({ shares, pieces: held }: Compiled, prefetch: Prefetch) => {
    if (shares) ifShared(prefetch);
    else for (const identifier of held) prefetch(pieces, "key", [identifier], followPiece);
  };
  followRules(rules, prefetch);
}

function followShape(shape: ShapeRow, prefetch: Prefetch): void {
  for (const list of lists) {
    if (mayShare(shape, list)) noteSharing(shape);
    for (const identifier of compiledShape(shape, list).pieces)
      prefetch(pieces, "key", [identifier], followPiece);
  }
}

function followPiece(piece: PieceRow, prefetch: Prefetch): void {
  for (const identifier of compiledPiece(piece).pieces) prefetch(pieces, "key", [identifier], followPiece);
}

export async function loadPieces(unit: UnitOfWork, direct: readonly string[]): Promise<PieceLookup> {
  const found = new Map<string, CompiledContent>();
  const wanted = [...direct];
  for (const identifier of wanted) {
    if (found.has(identifier)) continue;
    const piece = await unit.get(pieces, identifier);
    if (piece === undefined) continue;
    const rules = compiledPiece(piece);
    found.set(identifier, rules.content);
    wanted.push(...rules.pieces);
  }
  return (identifier) => found.get(identifier);
}

/** Reads the pieces of a list of components if languages share its content; undefined if they don't. */
export async function piecesIfShared(
  unit: UnitOfWork,
  shape: ShapeRow,
  list: ComponentList,
): Promise<PieceLookup | undefined> {
  if (!mayShare(shape, list)) return undefined;
  const lookup = await loadPieces(unit, compiledShape(shape, list).pieces);
  return sharesContent(shape[list], lookup) ? lookup : undefined;
}

/** Removes orphaned content, which is never read; or converts content in another way. */
export async function readableContent(
  unit: UnitOfWork,
  shape: ShapeRow,
  list: ComponentList,
  components: readonly ComponentContent[],
  convert: Conversion = withoutOrphans,
): Promise<ComponentContent[]> {
  if (components.length === 0) return [];
  return convert(components, shape[list], await loadPieces(unit, compiledShape(shape, list).pieces));
}
