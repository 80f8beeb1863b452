import { lostByPiece, lostByShape } from "../../domain/shape/lost-content.ts";
import {
  type Removal,
  type Removed,
  removedOf,
  removedParts,
  removedVariant,
} from "../../domain/variant/removals.ts";
import { items } from "../../storage/collections/items.ts";
import { pieces } from "../../storage/collections/pieces.ts";
import { priceListVariants } from "../../storage/collections/price-lists.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import { shapes } from "../../storage/collections/shapes.ts";
import { type ContentCount, countContent, shapesWithPiece } from "../../storage/queries/content-counts.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { type RestoredRow, restoredOf } from "./restored-row.ts";

/** The parts that restored rows lose, as in the output of commands. */
export async function lostParts(
  unit: UnitOfWork,
  rows: readonly RestoredRow[],
): Promise<{ removed?: Removed; orphaned?: ContentCount }> {
  const orphaned = (await orphanedByShape(unit, rows)) ?? (await orphanedByPiece(unit, rows));
  return { ...removedOf(await removals(unit, rows)), ...(orphaned && { orphaned }) };
}

/**
 * The variants that products lose, and the list entries that variants lose; none for products that are removed
 * themselves.
 */
async function removals(unit: UnitOfWork, rows: readonly RestoredRow[]): Promise<Removal[]> {
  const lost: Removal[] = [];
  for (const { current, restored } of restoredOf(rows, productVariants)) {
    if (current === undefined) continue;
    if (restored !== undefined) lost.push(...removedParts(current, restored));
    else if ((await unit.get(items, current.productId)) !== undefined) {
      const selections = restoredOf(rows, priceListVariants).flatMap((row) =>
        row.current?.variantId === current.id && row.restored === undefined ? row.current : [],
      );
      lost.push(...removedVariant(current, selections));
    }
  }
  return lost;
}

/** Counts items with content that a restored shape no longer has a component for. */
async function orphanedByShape(unit: UnitOfWork, rows: readonly RestoredRow[]) {
  for (const { current, restored } of restoredOf(rows, shapes)) {
    const lost = current && restored ? lostByShape(current, restored) : [];
    if (current && lost.length > 0) return countContent(unit, "held", [current.identifier], lost);
  }
  return undefined;
}

/** The same for a restored piece, through all pieces and shapes that use it. */
async function orphanedByPiece(unit: UnitOfWork, rows: readonly RestoredRow[]) {
  for (const { current, restored } of restoredOf(rows, pieces)) {
    if (!current || !restored) continue;
    const lost = lostByPiece(current.identifier, current.components, restored.components);
    if (lost.length > 0)
      return countContent(unit, "held", await shapesWithPiece(unit, current.identifier), lost);
  }
  return undefined;
}
