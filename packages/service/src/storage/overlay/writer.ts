import type { ColumnValues, Queries } from "../database.ts";
import { columnName, columnsOf, propertiesOf, sentRows, type Table } from "../unit-of-work/collection.ts";
import type { OverlayWriter } from "../unit-of-work/row-writer.ts";
import type { Overlay } from "./overlay.ts";
import { overlayTable } from "./tables.ts";

/**
 * Writes a tenant's rows into an overlay, whole; removed ones are marked as deleted. Records of actions are not
 * written: a plan performs none.
 */
export const overlayWriter = (
  queries: Queries,
  tenantId: string,
  overlay: Pick<Overlay, "has" | "need">,
): OverlayWriter => ({
  has: overlay.has,
  async write(collection, { removed, changed, added }) {
    const rows = [...removed, ...changed, ...added];
    if (rows.length === 0 || collection.isRecord) return 0;
    overlay.need(collection.table);
    const gone: ColumnValues = { type: "boolean", values: rows.map((_, i) => i < removed.length) };
    const columns = columnsOf(collection, propertiesOf(collection), rows);
    return queries.execute(upsertOf(collection), [tenantId, ...columns, gone]);
  },
});

/** The statements, by table, made once. */
const upserts = new Map<string, string>();

function upsertOf(collection: Table): string {
  const { table } = collection;
  const known = upserts.get(table);
  if (known !== undefined) return known;
  const made = upsert(collection);
  upserts.set(table, made);
  return made;
}

function upsert({ table, columns, key }: Table): string {
  const types = [...Object.entries(columns), ["gone", "boolean"] as const];
  const names = types.map(([property]) => columnName(property));
  return (
    `INSERT INTO ${overlayTable(table)} (tenant_id, ${names.join(", ")}) ` +
    `SELECT $1, ${types.map(([property]) => `r."${property}"`).join(", ")} FROM ${sentRows(types)} ` +
    `ON CONFLICT (tenant_id, ${key.map(columnName).join(", ")}) ` +
    `DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`
  );
}
