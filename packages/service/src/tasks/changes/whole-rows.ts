import { newIdsOf } from "../../storage/bulk-tasks/plans/new-ids.ts";
import { collectionOf } from "../../storage/collections/all.ts";
import type { Queries } from "../../storage/database.ts";
import { type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import { actionOf, type EntityChange, entityOf, isCreatedWithoutValues, withoutNewIds } from "./changes.ts";
import { ContentNames } from "./content-names.ts";
import { CreatedRows } from "./created-rows.ts";

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
  const stored = new CreatedRows(queries, key, room);
  const names = new ContentNames(queries, key, { isPlan: newIds !== null, room });
  const reading = readImagesOf(queries, key, [index], room);
  for (let read = await reading.next(); ; read = await reading.next()) {
    if (read.done) {
      const isComplete = read.value === undefined;
      return isComplete && entities.length === 0 ? undefined : { entities, isComplete };
    }
    const found = read.value.images.slice(0, wholeRowLimits.entities + 1 - entities.length);
    await names.load(found);
    const images = await names.shown(found);
    const rows = newIds
      ? images.map((image) => wholeRow(withoutNewIds(image, newIds)))
      : await wholeRows(images, index, stored, names);
    for (const row of rows) {
      if (row === undefined) return { entities, isComplete: false };
      characters += JSON.stringify([row.before, row.after]).length;
      if (entities.length === wholeRowLimits.entities || characters > wholeRowLimits.characters)
        return { entities, isComplete: false };
      entities.push(row);
    }
  }
}

/** The rows of images; undefined for a created one that was not read because of the limits. */
async function wholeRows(
  images: readonly BeforeImage[],
  index: number,
  stored: CreatedRows,
  names: ContentNames,
): Promise<(WholeRow | undefined)[]> {
  const found = new Map<BeforeImage, WholeRow>();
  let characters = 0;
  const created = images.filter(isCreatedWithoutValues).map((image) => ({ index, image }));
  for await (const [{ image }, row] of stored.read(created, () => characters <= wholeRowLimits.characters)) {
    characters += JSON.stringify(row ?? null).length;
    const after = row && (await names.shownRow(image, row));
    found.set(image, { ...wholeRow({ ...image, after }), changedSince: row === undefined });
  }
  return images.map((image) => (isCreatedWithoutValues(image) ? found.get(image) : wholeRow(image)));
}

function wholeRow(image: BeforeImage): WholeRow {
  const { key = [], internal = [] } = collectionOf(image.table) ?? {};
  const hidden = new Set<string>([...key, ...internal]);
  const shown = (values: object | null | undefined): object | null =>
    values ? Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name))) : null;
  const [before, after] = [shown(image.before), shown(image.after)];
  return { ...entityOf(image), action: actionOf(image), before, after, changedSince: false };
}
