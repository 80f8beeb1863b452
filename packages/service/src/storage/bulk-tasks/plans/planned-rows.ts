import type { Queries } from "../../database.ts";
import type { LogKey } from "../../task-details/operation-logs.ts";
import { readImagesOf } from "../../task-details/read-images.ts";
import type { BeforeImage } from "../../unit-of-work/before-images.ts";
import { changedComponents } from "./changed-components.ts";

/** A row written by an operation of a plan. */
export interface PlannedRow extends Pick<BeforeImage, "table" | "key" | "seen"> {
  /** True if the operation creates it. */
  readonly isNew: boolean;
  /** As `changedComponents` returns them; absent for a new row, and if values after were too large to keep. */
  readonly components?: readonly string[];
}

/** Limits per read; a single operation may exceed them. */
const most = { operations: 1_000, rows: 10_000 };

/**
 * Returns a function that reads the rows written by an operation of a plan. Call it in the order of the operations,
 * because it reads ahead.
 */
export function plannedRows(plan: LogKey): (queries: Queries, index: number) => Promise<PlannedRow[]> {
  let [first, end] = [0, 0];
  const rows = new Map<number, PlannedRow[]>();
  const readFrom = async (queries: Queries, index: number) => {
    rows.clear();
    [first, end] = [index, index];
    const indexes = Array.from({ length: most.operations }, (_, i) => index + i);
    let count = 0;
    const room = { characters: Number.POSITIVE_INFINITY };
    for await (const { index: at, images } of readImagesOf(queries, plan, indexes, room)) {
      const known = rows.get(at);
      if (known === undefined && count >= most.rows) return;
      rows.set(at, [...(known ?? []), ...images.map(plannedRow)]);
      count += images.length;
      end = at + 1;
    }
    end = index + most.operations;
  };
  return async (queries, index) => {
    if (index < first || index >= end) await readFrom(queries, index);
    return rows.get(index) ?? [];
  };
}

const plannedRow = (image: BeforeImage): PlannedRow => {
  const { table, key, before, after, seen } = image;
  return {
    ...{ table, key, isNew: before === null },
    ...(seen !== undefined && { seen }),
    ...(before && after && { components: changedComponents(image) }),
  };
};
