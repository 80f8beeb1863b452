import type { Database } from "../../../packages/service/src/storage/database.ts";

type Row = Record<string, unknown>;

/** Tables of tasks and callers, which no operation writes. */
const machinery = /^(bulk_task|operation_|access_token|audit)/;

/** Every row of a tenant, table by table; the tables are those that have a tenant, whichever there are. */
export async function rowsOf(database: Database, tenantId: string): Promise<Record<string, Row[]>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const named = tables.map(({ name }) => name).filter((name) => !machinery.test(name));
  const selects = named.map(
    (name) =>
      `SELECT '${name}' AS name, to_jsonb(t) - 'tenant_id' AS row FROM ${name} t WHERE tenant_id = $1`,
  );
  const rows = await database.query<{ name: string; row: Row }>(selects.join(" UNION ALL "), [tenantId]);
  const state = Object.fromEntries(named.map((name): [string, Row[]] => [name, []]));
  for (const { name, row } of rows) state[name]?.push(row);
  return withRanks(state);
}

/** Sort keys have chance in them: what counts is which comes first among what is under one parent. */
function withRanks(state: Record<string, Row[]>): Record<string, Row[]> {
  const sorted = Object.values(state).flatMap((rows) =>
    rows.filter(({ sort_key }) => sort_key !== undefined),
  );
  for (const siblings of Map.groupBy(sorted, ({ parent_id }) => parent_id).values()) {
    const keys = [...new Set(siblings.map(({ sort_key }) => String(sort_key)))].sort((a, b) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    for (const row of siblings) row.sort_key = `rank ${keys.indexOf(String(row.sort_key))}`;
  }
  return state;
}

const idPattern = /(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g;
const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;

/**
 * Replaces what differs between tenants: known texts by their names, other ids by their rank (ids grow with time, so
 * the first that was created has rank 0), times since `since` by "now". Rows are sorted.
 */
export function comparable(
  value: { rows: Record<string, Row[]>; results: unknown },
  own: ReadonlyMap<string, string>,
  since: Date,
): { rows: Record<string, string[]>; results: unknown } {
  let text = JSON.stringify(value);
  for (const [actual, name] of own) text = text.replaceAll(actual, name);
  const ranks = new Map([...new Set(text.match(idPattern))].sort().map((id, rank) => [id, `#${rank}`]));
  text = text
    .replace(idPattern, (id) => ranks.get(id)!)
    .replace(timePattern, (time) => (new Date(time) >= since && new Date(time) <= new Date() ? "now" : time));
  const named: typeof value = JSON.parse(text);
  const sorted = Object.entries(named.rows).map(([table, rows]) => [
    table,
    rows.map((row) => JSON.stringify(row)).sort(),
  ]);
  return { rows: Object.fromEntries(sorted), results: named.results };
}
