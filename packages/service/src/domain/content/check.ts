import {
  type ComponentContent,
  type FileUse,
  type JsonPath,
  oneOf,
  type PatternTime,
  type PieceLookup,
  type RelationUse,
  type Uses,
  type ValidatedContent,
  type Written,
} from "@lading/schema/internal";
import { lookup } from "mime-types";
import { type Problem, reject, rejectAll } from "../../errors.ts";
import type { Media } from "../../media/stored-images.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import { type ShapeRow, type ShapeType, shapes } from "../../storage/collections/shapes.ts";
import type { Loaded } from "../../storage/unit-of-work/loaded.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { referencesInContent } from "../content-rules/references.ts";
import { whereIn } from "../content-rules/where.ts";
import { named } from "../payload/named-row.ts";
import { type ComponentList, compiledShape, loadPieces } from "./compiled-content.ts";
import { unknownPart } from "./unknown-part.ts";

/** The shape with this identifier, which must be for items of this kind. */
export function requireShape(unit: UnitOfWork, kind: ShapeType, identifier: string): Loaded<ShapeRow> {
  const shape = unit.get(shapes, identifier);
  const isAtHand = shape !== undefined && !(shape instanceof Promise) && shape.type === kind;
  return isAtHand ? shape : checkedShape(unit, kind, identifier, shape);
}

async function checkedShape(
  unit: UnitOfWork,
  kind: ShapeType,
  identifier: string,
  found: Loaded<ShapeRow | undefined>,
): Promise<ShapeRow> {
  const shape = await found;
  const path = ["shapeIdentifier"];
  if (shape === undefined) reject("ShapeNotFoundError", await unknownPart(unit, "shape", identifier), path);
  if (shape.type !== kind)
    reject(
      "ValidationError",
      `The shape "${identifier}" is for items of the type ${shape.type}, not ${kind}`,
      path,
    );
  return shape;
}

export interface ContentOptions {
  /** True when required components must be present. */
  complete: boolean;
  /** The tenant's media, to check the items and files that new content uses; without it they are not checked. */
  media?: Media;
  /** The path of the components in the payload. */
  path: JsonPath;
}

/** Finds a media type in IANA's table, and those of the common servers. */
export const mediaTypeOf = (extension: string) => lookup(extension) || undefined;

const noPieces: PieceLookup = () => undefined;

/** Checks content against a list of components of its shape; returns the content to store and the problems. */
export async function checkContent(
  unit: UnitOfWork,
  shape: ShapeRow,
  list: ComponentList,
  components: readonly ComponentContent[],
  options: ContentOptions,
): Promise<ValidatedContent> {
  const rules = compiledShape(shape, list);
  const nested = rules.pieces.length > 0 && components.length > 0;
  const pieces = nested ? await loadPieces(unit, rules.pieces) : noPieces;
  const { complete, media, path } = options;
  const checked = rules.content.validate(components, {
    complete,
    pieces,
    path,
    patterns: patternsOf(unit),
    mediaTypeOf,
  });
  if (media !== undefined && checked.errors.length === 0 && hasUses(checked.uses))
    checked.errors.push(...(await checkUses(unit, media, checked.uses)));
  if (checked.errors.length === 0) return checked;
  return { ...checked, errors: checked.errors.map((error) => placed(error, components, path)) };
}

/**
 * Time spent on patterns in a batch, as one operation may check the content of thousands of items or variants. A batch
 * ends long before the limit, so no operation is rejected for others' patterns.
 */
const patternTimes = new WeakMap<UnitOfWork, PatternTime>();

function patternsOf(unit: UnitOfWork): PatternTime {
  const known = patternTimes.get(unit);
  if (known !== undefined) return known;
  const time = { spent: 0 };
  patternTimes.set(unit, time);
  return time;
}

/** Prefixes an error message with its location in the content. */
const placed = (
  error: Problem,
  components: readonly ComponentContent[],
  base: ContentOptions["path"],
): Problem => ({ ...error, message: `${whereIn(components, base, error.path)}: ${error.message}` });

/**
 * The content to store: all components that are not empty. Rejects content that does not fit the shape with
 * `ComponentContentValidationFailedError`.
 */
export async function requireContent(...check: Parameters<typeof checkContent>): Promise<ComponentContent[]> {
  const { components, errors } = await checkContent(...check);
  if (errors.length > 0) rejectAll("ComponentContentValidationFailedError", errors);
  return components;
}

export function prefetchRelated(
  components: readonly Written<ComponentContent>[] | null | undefined,
  prefetch: Prefetch,
): void {
  if (!components?.some(mayRelate)) return;
  const { itemIds, skus } = referencesInContent(components);
  for (const id of itemIds) prefetch(items, "key", [id]);
  for (const sku of skus) prefetch(productVariants, "sku", [sku], followProduct);
}

const followProduct = ({ productId }: ProductVariantRow, prefetch: Prefetch) =>
  prefetch(items, "key", [productId]);

/** True if a component is a relation, or may contain one. Called for every component written. */
const mayRelate = (component: Written<ComponentContent>): boolean =>
  component.itemRelations !== undefined ||
  component.piece !== undefined ||
  component.contentChunk !== undefined ||
  component.componentChoice !== undefined ||
  component.componentMultipleChoice !== undefined;

const hasUses = ({ relations, files }: Uses): boolean => relations.length > 0 || files.length > 0;

/**
 * Checks the items and files that content uses: a relation may not accept an item's shape, and files may be too large.
 * Missing items and files are not errors: they may come later.
 */
async function checkUses(unit: UnitOfWork, media: Media, uses: Uses): Promise<Problem[]> {
  const errors: Problem[] = [];
  for (const use of uses.relations) errors.push(...(await checkRelation(unit, use)));
  for (const use of uses.files) errors.push(...(await checkSizes(media, use)));
  return errors;
}

async function checkRelation(
  unit: UnitOfWork,
  { itemIds, skus, accepted, path }: RelationUse,
): Promise<Problem[]> {
  const errors: Problem[] = [];
  const check = (item: ItemRow | undefined, nameOf: (item: ItemRow) => string, at: JsonPath) => {
    if (item === undefined || accepted.includes(item.shapeIdentifier ?? "")) return;
    const shape = item.shapeIdentifier === null ? "no shape" : `the shape "${item.shapeIdentifier}"`;
    const message = `${nameOf(item)} has ${shape}; the relation accepts ${oneOf(accepted)}`;
    errors.push({ code: "ShapeNotAccepted", message, path: [...path, ...at] });
  };
  for (const [i, id] of itemIds.entries())
    check(await unit.get(items, id), (item) => `The item ${named(item)}`, ["itemIds", i]);
  for (const [i, sku] of skus.entries()) {
    const [variant] = await unit.find(productVariants, "sku", sku);
    const product = variant && (await unit.get(items, variant.productId));
    check(product, () => `The product of "${sku}"`, ["skus", i]);
  }
  return errors;
}

async function checkSizes(media: Media, { keys, maxBytes, maxText, path }: FileUse): Promise<Problem[]> {
  const errors: Problem[] = [];
  for (const [i, key] of keys.entries()) {
    const bytes = await media.bytes(key);
    if (bytes === undefined || bytes <= maxBytes) continue;
    const message = `The file "${key}" has ${bytes} bytes; the shape allows at most ${maxText}`;
    errors.push({ code: "FileTooLarge", message, path: [...path, i, "key"] });
  }
  return errors;
}
