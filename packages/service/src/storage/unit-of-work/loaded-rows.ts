import { type ColumnValues, timestampInJson } from "../database.ts";
import { columnsOfKeys } from "./collection.ts";
import type { LookUp } from "./prefetch.ts";

export type JsonRow = Record<string, unknown>;

export function keyColumns({ collection, index, keys }: LookUp): ColumnValues[] {
  const properties = index === "key" ? collection.key : (collection.indexes[index] ?? []);
  return columnsOfKeys<JsonRow>(collection, properties, keys);
}

/** Converts timestamps from the database's JSON form to that of columns. */
export function readTimestamps(row: JsonRow, timestamps: readonly string[]): void {
  for (const name of timestamps) {
    const text = row[name];
    if (typeof text === "string") row[name] = timestampInJson(text);
  }
}

/** The column that tells whether a row comes from an overlay, after other columns. */
export const originColumn = (hasOverlay: boolean): string =>
  hasOverlay ? ", t.is_planned" : ", false AS is_planned";

/**
 * Removes that column from rows, and adds those from tables to `stored`. It is a row's last property, so that the rows
 * keep the hidden class of others.
 */
export function noteOrigin(rows: readonly { is_planned?: boolean }[], stored: WeakSet<object>): void {
  for (const row of rows) {
    if (row.is_planned === false) stored.add(row);
    delete row.is_planned;
  }
}
