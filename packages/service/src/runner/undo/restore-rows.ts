import { refuseLoss } from "../../domain/settings/uses.ts";
import { reject } from "../../errors.ts";
import { collectionOf } from "../../storage/collections/all.ts";
import { settings } from "../../storage/collections/settings.ts";
import { type BeforeImage, isAsLeft } from "../../storage/unit-of-work/before-images.ts";
import type { KeyPart, Table } from "../../storage/unit-of-work/collection.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { nounOf, type RestoredRow, type Row, restoredOf, rowName, valuesIn } from "./restored-row.ts";

/**
 * Restores rows to their state before an operation that started at a given time, and returns them. Rejects with
 * `ChangedSinceError` if a row was changed after the operation, with `ConflictError` if another row has taken a unique
 * key, and with `SettingInUseError` if rows use a setting that would be removed.
 */
export async function restoreRows(
  unit: UnitOfWork,
  images: readonly BeforeImage[],
  startedAt: string,
): Promise<RestoredRow[]> {
  const rows: RestoredRow[] = [];
  for (const image of images) {
    const collection = knownCollection(image);
    const current: Row | undefined = await unit.get<Row>(collection, ...image.key);
    requireAsLeft(collection, image, current, startedAt, () => loadedOf(unit, images, image.key));
    const restored = restoredRow(collection, image, current);
    rows.push({ collection, key: image.key, current, restored });
  }
  for (const { current, restored } of restoredOf(rows, settings))
    if (current !== undefined) await refuseLoss(unit, current, restored);
  for (const row of rows) write(unit, row);
  for (const row of rows) await requireFreeKeys(unit, row);
  return rows;
}

/** Declares the rows that `restoreRows` reads. */
export function prefetchRestored(images: readonly BeforeImage[], prefetch: Prefetch): void {
  for (const image of images) {
    const collection = knownCollection(image);
    const unique = changedKeys(collection, image);
    const prefetchHolders = (row: Row, prefetch: Prefetch) => {
      for (const index of unique) {
        const values = valuesIn({ ...row, ...image.before }, collection.indexes[index] ?? []);
        if (values !== undefined) prefetch<Row, string>(collection, index, values);
      }
    };
    prefetch<Row, string>(collection, "key", image.key, unique.length > 0 ? prefetchHolders : undefined);
    if (isOfDeletion(collection, image)) prefetchHolders({}, prefetch);
  }
}

/** The unique indexes in which the restored row has another key. */
const changedKeys = ({ unique, indexes }: Table, { before }: BeforeImage): readonly string[] =>
  before === null ? [] : unique.filter((index) => indexes[index]?.some((name) => name in before));

export function knownCollection({ table }: Pick<BeforeImage, "table">): Table {
  const collection = collectionOf(table);
  if (collection === undefined) throw new Error(`a before-image is of the table ${table}, which is unknown`);
  return collection;
}

/** The rows in memory, of those an operation wrote, whose keys begin as a key does. */
export const loadedOf = (
  unit: UnitOfWork,
  written: readonly Pick<BeforeImage, "table" | "key">[],
  [id]: readonly KeyPart[],
): Row[] =>
  written
    .filter(({ key }) => key[0] === id)
    .map((row) => unit.loaded<Row>(knownCollection(row), ...row.key) ?? {});

/** Only the image of a deleted row includes the columns of the key. */
export const isOfDeletion = ({ key }: Table, { before }: BeforeImage): boolean =>
  before !== null && key[0] in before;

function restoredRow(collection: Table, image: BeforeImage, current: Row | undefined): Row | undefined {
  if (image.before === null) return undefined;
  return isOfDeletion(collection, image) ? { ...image.before } : { ...current, ...image.before };
}

function write(unit: UnitOfWork, { collection, current, restored }: RestoredRow): void {
  if (restored === undefined) unit.remove<Row>(collection, current ?? {});
  else if (current === undefined) unit.insert<Row>(collection, restored);
  else unit.update<Row>(collection, restored);
}

function requireAsLeft(
  collection: Table,
  image: BeforeImage,
  current: Row | undefined,
  startedAt: string,
  others: () => Row[],
): void {
  const refuse = (change: string) =>
    reject(
      "ChangedSinceError",
      `${rowName(collection, image.key, { ...image.before, ...current }, ...others())} ${change} after this operation, so it was not undone. ` +
        "Undo the later change first, or make this one by hand",
    );
  if (isOfDeletion(collection, image)) {
    if (current !== undefined) refuse(`was created again${at(current.createdAt)}`);
  } else if (current === undefined) refuse("was deleted");
  else if (!isAsLeft(collection, image, current, startedAt)) refuse(`was changed${at(current.updatedAt)}`);
}

export const at = (time: unknown): string => (typeof time === "string" ? ` at ${time},` : "");

/** Rejects a row whose unique key another row has taken; otherwise the database would refuse the whole batch. */
async function requireFreeKeys(
  unit: UnitOfWork,
  { collection, current, restored }: RestoredRow,
): Promise<void> {
  if (restored === undefined) return;
  for (const index of collection.unique) {
    const names = collection.indexes[index] ?? [];
    const values = valuesIn(restored, names);
    if (values === undefined || names.every((name) => restored[name] === current?.[name])) continue;
    const holders = await unit.find<Row, string>(collection, index, ...values);
    if (holders.length < 2) continue;
    const taken = names.map((name) => `${name} ${JSON.stringify(restored[name])}`).join(", ");
    reject("ConflictError", `Another row of ${nounOf(collection)} has the ${taken} now`);
  }
}
