import { newIdsOf } from "../../storage/bulk-tasks/plans/new-ids.ts";
import { collectionOf } from "../../storage/collections/all.ts";
import type { Queries } from "../../storage/database.ts";
import { type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import { actionOf, type EntityChange, entityOf, withoutNewIds } from "./changes.ts";

/** A row written by an operation, with whole values. */
export interface WholeRow extends Omit<EntityChange, "values"> {
  /** The previous values of the changed columns, or of all columns of a deleted row; null: there was no row. */
  readonly before: object | null;
  /** The same columns after the operation; null: there is no row, or they are not kept. */
  readonly after: object | null;
}

export interface WholeRows {
  readonly entities: readonly WholeRow[];
  /** False if there are more rows, or larger ones, than the limits allow. */
  readonly isComplete: boolean;
}

/** Limits of an operation's whole rows; docs/limits.md lists them. */
export const wholeRowLimits = {
  entities: 1_000,
  /** Characters of their values, as JSON. */
  characters: 4 * 1024 ** 2,
} as const;

/**
 * Reads the rows written by a task's operation, in the order it first wrote them, within the request's limits;
 * undefined if it wrote none, or they are not kept.
 */
export async function readWholeRows(
  queries: Queries,
  key: { tenantId: string; taskId: string },
  index: number,
  room: ReadingRoom,
): Promise<WholeRows | undefined> {
  const newIds = await newIdsOf(queries, key);
  const entities: WholeRow[] = [];
  let characters = 0;
  const reading = readImagesOf(queries, key, [index], room);
  for (let read = await reading.next(); ; read = await reading.next()) {
    if (read.done) {
      const isComplete = read.value === undefined;
      return isComplete && entities.length === 0 ? undefined : { entities, isComplete };
    }
    for (const image of read.value.images) {
      const row = wholeRow(newIds ? withoutNewIds(image, newIds) : image);
      characters += JSON.stringify([row.before, row.after]).length;
      if (entities.length === wholeRowLimits.entities || characters > wholeRowLimits.characters)
        return { entities, isComplete: false };
      entities.push(row);
    }
  }
}

function wholeRow(image: BeforeImage): WholeRow {
  const { key = [], internal = [] } = collectionOf(image.table) ?? {};
  const hidden = new Set<string>([...key, ...internal]);
  const shown = (values: object | null | undefined): object | null =>
    values ? Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name))) : null;
  const [before, after] = [shown(image.before), shown(image.after)];
  return { ...entityOf(image), action: actionOf(image), before, after };
}
