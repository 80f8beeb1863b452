import type { ComponentContent, ComponentDefinition } from "@lading/schema";
import { type ErrorDetail, reject, rejectAll } from "../../../errors.ts";
import type { Media } from "../../../media/stored-images.ts";
import {
  type CompiledContent,
  compileContent,
  piecesInDefinitions,
  type ValidatedContent,
  whereIn,
} from "../../../rules/content/index.ts";
import { type PieceRow, pieces } from "../../../storage/collections/pieces.ts";
import { type ShapeRow, shapes } from "../../../storage/collections/shapes.ts";
import type { UnitOfWork, Want } from "../../../storage/unit-of-work.ts";
import type { ItemKind } from "./kinds.ts";
import { checkUses } from "./uses.ts";

/** The two lists of components that a shape has: for its items, and for the variants of its products. */
export type ComponentList = "components" | "variantComponents";

interface Compiled {
  content: CompiledContent;
  /** The pieces that are used directly. */
  pieces: readonly string[];
}

/** Compiled rules by revision, which is new with every change of a shape or piece: an entry is never stale. */
const cache = new Map<string, Compiled>();
const cacheSize = 1_000;

function compiled(
  revision: string,
  list: ComponentList,
  definitions: readonly ComponentDefinition[],
): Compiled {
  const key = list === "components" ? revision : `${revision} ${list}`;
  let rules = cache.get(key);
  if (rules === undefined) {
    if (cache.size >= cacheSize) cache.clear();
    rules = { content: compileContent(definitions), pieces: piecesInDefinitions(definitions) };
    cache.set(key, rules);
  }
  return rules;
}

const compiledPiece = ({ revision, components }: PieceRow) => compiled(revision, "components", components);

/** Declares a shape and the pieces that content of it can hold. */
export function wantShape(identifier: string, want: Want): void {
  want(shapes, "key", [identifier], followShape);
}

function followShape(shape: ShapeRow, want: Want): void {
  for (const list of ["components", "variantComponents"] as const)
    for (const identifier of compiled(shape.revision, list, shape[list]).pieces)
      want(pieces, "key", [identifier], followPiece);
}

function followPiece(piece: PieceRow, want: Want): void {
  for (const identifier of compiledPiece(piece).pieces) want(pieces, "key", [identifier], followPiece);
}

/** The shape with this identifier, which must be one for items of this kind. */
export async function requireShape(unit: UnitOfWork, kind: ItemKind, identifier: string): Promise<ShapeRow> {
  const shape = await unit.get(shapes, identifier);
  const path = ["shapeIdentifier"];
  if (shape === undefined) reject("ShapeNotFoundError", `There is no shape "${identifier}"`, path);
  if (shape.type !== kind)
    reject(
      "ValidationError",
      `The shape "${identifier}" is for items of the type ${shape.type}, not ${kind}`,
      path,
    );
  return shape;
}

export interface ContentOptions {
  /** True when required components must be there. */
  complete: boolean;
  /** The tenant's media, to look up what new content uses; without it that is not checked again. */
  media?: Media;
  /** Where the components are in the payload. */
  path: (string | number)[];
}

/** Holds content against a list of components of its shape: what is to be stored of it, and what is wrong with it and where. */
export async function checkContent(
  unit: UnitOfWork,
  shape: ShapeRow,
  list: ComponentList,
  components: readonly ComponentContent[],
  options: ContentOptions,
): Promise<ValidatedContent> {
  const rules = compiled(shape.revision, list, shape[list]);
  const used =
    rules.pieces.length > 0 && components.length > 0 ? await loadPieces(unit, rules.pieces) : undefined;
  const { media, ...validation } = options;
  const pieces = (identifier: string) => used?.get(identifier);
  const checked = rules.content.validate(components, { ...validation, pieces });
  if (media !== undefined && checked.errors.length === 0)
    checked.errors.push(...(await checkUses(unit, media, checked.uses)));
  if (checked.errors.length === 0) return checked;
  return { ...checked, errors: checked.errors.map((error) => placed(error, components, options.path)) };
}

/** Begins the message of an error with where in the content it is. */
const placed = (
  error: ErrorDetail,
  components: readonly ComponentContent[],
  base: ContentOptions["path"],
): ErrorDetail => ({ ...error, message: `${whereIn(components, base, error.path)}: ${error.message}` });

/**
 * What is to be stored of some content: all but the components that say nothing. Rejects with
 * `ComponentContentValidationFailedError` what does not fit the shape.
 */
export async function requireContent(...check: Parameters<typeof checkContent>): Promise<ComponentContent[]> {
  const { components, errors } = await checkContent(...check);
  if (errors.length > 0) rejectAll("ComponentContentValidationFailedError", errors);
  return components;
}

/** The compiled rules of pieces and of all that they hold in turn. */
async function loadPieces(
  unit: UnitOfWork,
  direct: readonly string[],
): Promise<Map<string, CompiledContent>> {
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
  return found;
}
