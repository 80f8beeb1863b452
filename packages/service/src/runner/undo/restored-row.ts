import { quoted } from "@lading/schema/internal";
import type { Collection, KeyPart, Table } from "../../storage/unit-of-work/collection.ts";

export type Row = Record<string, unknown>;

/** A row written by an undo, in its current and its restored state; undefined if there is no row. */
export interface RestoredRow<Of extends object = Row> {
  readonly collection: Table;
  readonly key: readonly KeyPart[];
  readonly current: Of | undefined;
  readonly restored: Of | undefined;
}

/** `product_variants` → `product variants` */
export const nounOf = ({ table }: Table): string => table.replaceAll("_", " ");

/**
 * `The row daughter of customers`; with a name, SKU or reference in the row or in others of the same entity,
 * `The row "Mug" (6561f0c2a1b2c3d4e5f60718, en, draft) of item contents`
 */
export function rowName(collection: Table, key: readonly KeyPart[], ...rows: readonly Row[]): string {
  const names = ["name", "sku", "resourceIdentifier", "externalReference"];
  const values = names.flatMap((name) => rows.map((row) => row[name]));
  const name = values.find((value) => typeof value === "string" && value !== "");
  const isNamed = typeof name === "string" && /^[0-9a-f]{24}$/.test(String(key[0]));
  const which = isNamed ? `${quoted(name)} (${key.join(", ")})` : key.join(", ");
  return `The row ${which} of ${nounOf(collection)}`;
}

/** A row's values by name; undefined if one is null or absent, because no other row can then have the same key. */
export function valuesIn(row: Row, names: readonly string[]): KeyPart[] | undefined {
  const values = names.map((name) => row[name]);
  return values.every((value) => value !== null && value !== undefined) ? (values as KeyPart[]) : undefined;
}

/** The restored rows of one collection. */
export const restoredOf = <Of extends object>(
  rows: readonly RestoredRow[],
  { table }: Collection<Of>,
): RestoredRow<Of>[] =>
  // Rows of a collection have its row type.
  rows.filter(({ collection }) => collection.table === table) as unknown as RestoredRow<Of>[];
