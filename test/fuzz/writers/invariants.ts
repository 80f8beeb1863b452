import type { Database } from "../../../packages/service/src/storage/database.ts";
import {
  type SettingPart,
  useOfSetting,
} from "../../../packages/service/src/storage/tenants/setting-uses.ts";
import type { UnitOfWork } from "../../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { logFaults, storedEntries } from "../../support/logs/operation-log.ts";
import { vatType } from "./choices.ts";
import type { Stored } from "./model.ts";

/** Rows that must not be; each query answers what it found as `what`. */
const mustBeEmpty: Readonly<Record<string, string>> = {
  "positions that are not distinct": [
    ["item_topics", "item_id"],
    ["item_former_paths", "item_id || language"],
    ["product_variants", "product_id"],
    ["flow_stages", "flow_identifier"],
  ]
    .map(
      ([table, owner]) =>
        `SELECT '${table} of ' || owner AS what FROM
           (SELECT tenant_id, ${owner} AS owner, position FROM ${table}) l
         GROUP BY tenant_id, owner HAVING count(*) <> count(DISTINCT position)`,
    )
    .join(" UNION ALL "),
  "products without one default variant": `SELECT product_id AS what FROM product_variants
    GROUP BY tenant_id, product_id HAVING count(*) FILTER (WHERE is_default) <> 1`,
  "items without a folder above": `SELECT i.id AS what FROM items i
    LEFT JOIN items p ON p.tenant_id = i.tenant_id AND p.id = i.parent_id AND p.type = 'folder'
    WHERE i.parent_id IS NOT NULL AND p.id IS NULL`,
  "items that the root does not lead to": unreached("items", "parent_id IS NULL"),
  "topics that no root leads to": unreached("topics", "parent_id IS NULL"),
  "content at another location than its item": `SELECT c.item_id AS what FROM item_contents c
    JOIN items i ON i.tenant_id = c.tenant_id AND i.id = c.item_id
    WHERE c.version = 'draft' AND c.parent_id <> i.parent_id`,
  "folders shown below themselves": `WITH RECURSIVE edges AS (
      SELECT tenant_id, id, parent_id FROM items WHERE type = 'folder' AND parent_id IS NOT NULL
      UNION SELECT s.tenant_id, s.item_id, s.parent_id FROM item_shortcuts s
        JOIN items i ON i.tenant_id = s.tenant_id AND i.id = s.item_id AND i.type = 'folder'
    ), up AS (
      SELECT tenant_id, id, parent_id FROM edges
      UNION SELECT u.tenant_id, u.id, e.parent_id FROM up u JOIN edges e ON e.tenant_id = u.tenant_id AND e.id = u.parent_id
    ) SELECT id AS what FROM up WHERE id = parent_id`,
  "pieces that lead to themselves": `WITH RECURSIVE edges AS (
      SELECT tenant_id, identifier, jsonb_path_query(components::jsonb, '$[*].config.piece.identifier') #>> '{}' AS used
      FROM pieces
    ), up AS (
      SELECT * FROM edges
      UNION SELECT u.tenant_id, u.identifier, e.used FROM up u
        JOIN edges e ON e.tenant_id = u.tenant_id AND e.identifier = u.used
    ) SELECT identifier AS what FROM up WHERE identifier = used`,
  "tasks that did not end, or are held": `SELECT id || ' ' || status AS what FROM bulk_tasks
    WHERE ended_at IS NULL AND status <> 'pending' OR owner IS NOT NULL`,
};

function unreached(table: string, isRoot: string): string {
  return `WITH RECURSIVE reached AS (
      SELECT tenant_id, id FROM ${table} WHERE ${isRoot}
      UNION SELECT t.tenant_id, t.id FROM reached r JOIN ${table} t ON t.tenant_id = r.tenant_id AND t.parent_id = r.id
    ) SELECT id AS what FROM ${table} t WHERE NOT EXISTS
      (SELECT 1 FROM reached r WHERE r.tenant_id = t.tenant_id AND r.id = t.id)`;
}

/** Violations of the invariants of stored data, whichever writer caused them. */
export async function violations(database: Database): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, sql] of Object.entries(mustBeEmpty))
    for (const { what } of await database.query<{ what: string }>(sql)) wrong.push(`${name}: ${what}`);
  const tenants = await database.query<{ id: string }>("SELECT id FROM tenants");
  for (const { id } of tenants) wrong.push(...(await logFaults(database, id)));
  const tables = await database.query<{ table: string }>(
    `SELECT table_name AS table FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_name <> 'audit_trail'`,
  );
  for (const { table } of tables) {
    const left = await database.query<{ tenant: string }>(
      `SELECT DISTINCT tenant_id AS tenant FROM ${table} t
       WHERE tenant_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenants n WHERE n.id = t.tenant_id)`,
    );
    for (const { tenant } of left) wrong.push(`${table} has rows of the deleted tenant ${tenant}`);
  }
  return wrong;
}

const comings: readonly [part: SettingPart, name: string][] = [
  ["languages", "xx"],
  ["stockLocations", "loc"],
  ["priceVariants", "pv"],
  ["vatTypes", vatType],
];

/** Settings that rows of a tenant name, and that it does not have. */
export async function settingsMissing(database: Database, tenantId: string): Promise<string[]> {
  const present = await database.query<{ list: string; identifier: string }>(
    "SELECT list, identifier FROM settings WHERE tenant_id = $1",
    [tenantId],
  );
  const wrong: string[] = [];
  for (const [part, name] of comings) {
    if (present.some(({ list, identifier }) => list === part && identifier === name)) continue;
    const ask: UnitOfWork["ask"] = (sql, parameters = []) => database.query(sql, [tenantId, ...parameters]);
    const use = await useOfSetting({ ask }, part, [name]);
    if (use !== undefined) wrong.push(`${use.what} name "${name}" of ${part}, which was deleted`);
  }
  return wrong;
}

/** By name, and the members in their order. */
const lists: readonly string[] = [
  `SELECT 'topics ' || item_id AS name, topic_id AS member, position AS at FROM item_topics WHERE tenant_id = $1`,
  `SELECT 'aliases ' || item_id, path, 0 FROM item_aliases WHERE tenant_id = $1`,
  `SELECT 'variants ' || product_id, CASE WHEN external_reference IS NULL THEN sku ELSE sku || ':' || external_reference END,
     position FROM product_variants WHERE tenant_id = $1`,
  `SELECT 'stages ' || flow_identifier, identifier, position FROM flow_stages WHERE tenant_id = $1`,
  `SELECT 'selection ' || price_list_identifier, sku, 0 FROM price_list_variants WHERE tenant_id = $1`,
  `SELECT 'shortcuts ' || item_id, parent_id, 0 FROM item_shortcuts WHERE tenant_id = $1`,
  `SELECT 'history ' || item_id, path, position FROM item_former_paths WHERE tenant_id = $1`,
];

export async function storedOf(database: Database, tenantId: string): Promise<Stored> {
  const members = await database.query<{ name: string; member: string }>(
    `SELECT * FROM (${lists.join(" UNION ALL ")}) l ORDER BY name, at, member COLLATE "C"`,
    [tenantId],
  );
  const stock = await database.query<{ sku: string; stock: number }>(
    `SELECT v.sku, (s->>'stock')::int AS stock FROM product_variants v, json_array_elements(v.stock_locations) s
     WHERE v.tenant_id = $1 AND s->>'identifier' = 'default'`,
    [tenantId],
  );
  const keys = await database.query<{ name: string; count: number }>(
    `SELECT resource_identifier AS name, count(*) AS count FROM items
     WHERE tenant_id = $1 AND resource_identifier IS NOT NULL GROUP BY 1`,
    [tenantId],
  );
  const byName = Map.groupBy(members, ({ name }) => name);
  return {
    stock: new Map(stock.map(({ sku, stock }) => [sku, stock])),
    lists: new Map([...byName].map(([name, rows]) => [name, rows.map(({ member }) => member)])),
    keys: new Map(keys.map(({ name, count }) => [name, count])),
  };
}

export async function succeededIn(
  database: Database,
  tenantId: string,
  taskId: string,
): Promise<ReadonlySet<number>> {
  const entries = await storedEntries(database, tenantId, taskId);
  return new Set(entries.filter(({ status }) => status === "success").map(({ index }) => index));
}
