import type { ComponentContent, Written } from "@lading/schema";
import type { Problem } from "../../errors.ts";
import type { Media } from "../../media/stored-images.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { type FileUse, type RelationUse, referencesInContent, type Uses } from "../content-rules/index.ts";
import { oneOf } from "../content-rules/report.ts";

type Components = readonly Written<ComponentContent>[] | null | undefined;

/** Declares the items that relations in some content lead to. */
export function prefetchRelated(components: Components, prefetch: Prefetch): void {
  if (!components?.some(mayRelate)) return;
  const { itemIds, skus } = referencesInContent(components);
  for (const id of itemIds) prefetch(items, "key", [id]);
  for (const sku of skus) prefetch(productVariants, "sku", [sku], followProduct);
}

const followProduct = ({ productId }: ProductVariantRow, prefetch: Prefetch) =>
  prefetch(items, "key", [productId]);

/** True if a component is a relation, or may hold one. Called for every component that is written. */
const mayRelate = (component: Written<ComponentContent>): boolean =>
  component.itemRelations !== undefined ||
  component.piece !== undefined ||
  component.contentChunk !== undefined ||
  component.componentChoice !== undefined ||
  component.componentMultipleChoice !== undefined;

/**
 * Checks the items and files that content uses: a relation may not accept the shape of an item, and files may be too
 * large. Items and files that do not exist, or not yet, are not errors.
 */
export async function checkUses(unit: UnitOfWork, media: Media, uses: Uses): Promise<Problem[]> {
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
  const check = (item: ItemRow | undefined, what: string, at: (string | number)[]) => {
    if (item === undefined || accepted.includes(item.shapeIdentifier ?? "")) return;
    const shape = item.shapeIdentifier === null ? "no shape" : `the shape "${item.shapeIdentifier}"`;
    const message = `${what} has ${shape}; the relation accepts ${oneOf(accepted)}`;
    errors.push({ code: "ShapeNotAccepted", message, path: [...path, ...at] });
  };
  for (const [i, id] of itemIds.entries()) check(await unit.get(items, id), `The item ${id}`, ["itemIds", i]);
  for (const [i, sku] of skus.entries()) {
    const [variant] = await unit.find(productVariants, "sku", sku);
    const product = variant && (await unit.get(items, variant.productId));
    check(product, `The product of "${sku}"`, ["skus", i]);
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
