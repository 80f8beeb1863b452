import { type ColumnValues, timestampInJson } from "../database.ts";
import { columnsOfKeys } from "./collection.ts";
import type { LookUp } from "./prefetch.ts";

export type JsonRow = Record<string, unknown>;

export function keyColumns({ collection, index, keys }: LookUp): ColumnValues[] {
  const properties = index === "key" ? collection.key : (collection.indexes[index] ?? []);
  return columnsOfKeys<JsonRow>(collection, properties, keys);
}

/** Puts timestamps that are in the form of the database into that of columns. */
export function readTimestamps(row: JsonRow, timestamps: readonly string[]): void {
  for (const name of timestamps) {
    const text = row[name];
    if (typeof text === "string") row[name] = timestampInJson(text);
  }
}

/** The column that tells whether a row comes from an overlay, behind other columns, where there is one or not. */
export const originColumn = (hasOverlay: boolean): string =>
  hasOverlay ? ", t.is_planned" : ", false AS is_planned";

/**
 * Takes that column from rows, and adds those that come from tables to `stored`. It is the last property of a row, so
 * that the rows keep the form of others.
 */
export function noteOrigin(rows: readonly { is_planned?: boolean }[], stored: WeakSet<object>): void {
  for (const row of rows) {
    if (row.is_planned === false) stored.add(row);
    delete row.is_planned;
  }
}
