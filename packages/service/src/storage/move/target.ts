import pg from "pg";
import type { Queries } from "../database.ts";
import { MoveRefused } from "./refused.ts";
import type { MovedTenant } from "./source.ts";
import { type TenantTable, withRows } from "./tables.ts";

/** Maximum number of names a message lists. */
const listed = 5;

const few = (names: readonly string[]) =>
  names.length <= listed
    ? names.join(", ")
    : `${names.slice(0, listed).join(", ")} and ${names.length - listed} more`;

/** @throws MoveRefused when a table has rows: names the tenants and the tables */
export async function refuseRows(queries: Queries, tables: readonly TenantTable[]): Promise<void> {
  const filled = (await withRows(queries, tables)).map(({ name }) => name);
  if (filled.length === 0) return;
  const tenants = await queries.query<{ identifier: string }>(
    "SELECT coalesce(identifier, id) AS identifier FROM tenants ORDER BY 1",
  );
  const has = tenants.length === 0 ? "" : `the tenants ${few(tenants.map((each) => each.identifier))}, `;
  throw new MoveRefused(
    `The target is not empty: it has ${has}rows in ${few(filled)}. Name an empty database, or a new data folder; ` +
      "`lading tenant move` adds one tenant to others.",
  );
}

/**
 * Empties tables that have no rows, and locks them exclusively until the transaction ends. Frees disk space left by a
 * failed move. Call it first, as `lockAgainstWriters`.
 * @throws MoveRefused when a table has rows
 */
export async function takeEmptyTables(target: Queries, tables: readonly TenantTable[]): Promise<void> {
  const list = tables.map(({ table }) => table).join(", ");
  await target.execute(`LOCK TABLE ${list} IN ACCESS EXCLUSIVE MODE`);
  await refuseRows(target, tables);
  await target.execute(`TRUNCATE ${list}`);
}

/** Additional conditions on a tenant's rows, by table. */
type More = Readonly<Record<string, string>>;

/**
 * Selects a tenant's rows to move: all but webhook events that the source still delivers, and audit entries that the
 * target already has, if the tenant was there before.
 * @throws MoveRefused when the target has a tenant with this id or identifier, or rows of one being deleted
 */
export async function rowsOfTenant(
  target: Queries,
  tables: readonly TenantTable[],
  { id, identifier }: MovedTenant,
): Promise<TenantTable[]> {
  await refuseTenant(target, id, identifier);
  const known = await target.query<{ id: string }>("SELECT id FROM audit_trail WHERE tenant_id = $1", [id]);
  const more: More = {
    audit_trail: `id <> ALL (${pg.escapeLiteral(`{${known.map((entry) => entry.id).join(",")}}`)})`,
    webhook_events: "status <> 'pending'",
  };
  const chosen = tables.map((table): TenantTable => {
    const own = `${table.name === "tenants" ? "id" : "tenant_id"} = ${pg.escapeLiteral(id)}`;
    const also = more[table.name];
    return { ...table, condition: also === undefined ? own : `${own} AND ${also}` };
  });
  const left = await withRows(
    target,
    chosen.filter(({ name }) => name !== "webhook_events"),
  );
  if (left.length > 0)
    throw new MoveRefused(
      `The target still has rows of ${identifier} in ${few(left.map(({ name }) => name))}, from a tenant that was deleted: wait until its ` +
        "service has removed them.",
    );
  return chosen;
}

async function refuseTenant(target: Queries, id: string, identifier: string): Promise<void> {
  const [taken] = await target.query<MovedTenant>(
    "SELECT id, coalesce(identifier, '') AS identifier FROM tenants WHERE id = $1 OR identifier = $2 LIMIT 1",
    [id, identifier],
  );
  if (taken === undefined) return;
  const remedy =
    taken.identifier === ""
      ? "which is being deleted: wait until its service has removed it."
      : "`lading tenant delete` removes it; nothing is ever merged.";
  throw new MoveRefused(
    taken.id === id
      ? `The target has the tenant with the id ${id} already (${taken.identifier || "without a name"}): ${remedy}`
      : `The target has another tenant ${identifier}: ${remedy}`,
  );
}

/** Renews the statistics of filled tables. Old ones only cost time, so failures are ignored. */
export async function renewStatistics(target: Queries, tables: readonly string[]): Promise<void> {
  for (const table of tables) await target.execute(`ANALYZE ${table}`).catch(() => 0);
}
