import type { Database } from "../../packages/service/src/storage/database.ts";
import { withoutTenantStatistics } from "../../packages/service/src/storage/statistics.ts";
import type { LogEntry } from "../../packages/service/src/storage/task-details/operation-logs.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { writeLargeLog } from "../support/logs/write-large-log.ts";
import { ids } from "../support/parity/words.ts";

/** The id of a row that was filled in, as SQL: of no row that `words.ts` names. */
const id = (number: string) => `'6' || lpad(to_hex(${number}), 23, '0')`;
const text = (value: string) => `'${value}'`;
const [folder, otherFolder] = ids.folders;
const [topic] = ids.topics;

/** The task that has a log, which is longer in a larger tenant; every fifth of its operations has failed. */
export const loggedTask = `6${"f".repeat(23)}`;

/**
 * The rows of a tenant by table, each made of a number `g`, which is a multiple of the second value. A tenant is
 * uneven: half of it belongs to the entities that `words.ts` names, as most of a shop has one shape.
 */
const rows: readonly (readonly [into: string, every: number, select: string])[] = [
  [
    "items (id, type, shape_identifier, parent_id, sort_key, external_reference, resource_identifier, vat_type_id)",
    1,
    `${id("g")}, type, type, CASE WHEN type = 'folder' THEN @root WHEN g % 2 = 0 THEN '${folder}'
       ELSE ${id("(g / 40 + 1) * 10")} END, 'z00' || lpad(g::text, 24, '0'), 'r' || g,
       CASE WHEN g % 3 = 0 THEN 'item-' || g END, CASE WHEN type = 'product' THEN @vatType END
     FROM (SELECT g, CASE WHEN g % 10 = 0 THEN 'folder' WHEN g % 10 < 6 THEN 'product' ELSE 'document' END AS type
       FROM numbers) n`,
  ],
  [
    "item_contents (item_id, language, version, version_id, parent_id, segment, name, components, is_published)",
    1,
    `${id("g")}, 'en', version, ${id("2 * g + n")}, CASE n WHEN 0 THEN i.parent_id END,
       CASE n WHEN 0 THEN 'item-' || g END, 'Item ' || g, json_build_array(json_build_object('componentId', 'singleLine',
         'singleLine', json_build_object('text', repeat('About item ' || g || '. ', 10)))), n = 0 AND g % 5 = 0
     FROM numbers JOIN items i ON i.tenant_id = @tenant AND i.id = ${id("g")},
       (VALUES (0, 'draft'), (1, 'published')) v(n, version) WHERE n = 0 OR g % 5 = 0`,
  ],
  [
    "product_variants (id, product_id, sku, position, is_default, external_reference, price_variants, stock_locations, contents)",
    1,
    `${id("g")}, ${id("g")}, 'sku-' || g, 0, true, 'v' || g, '[{"identifier":"default","price":10}]',
       '[{"identifier":"default","stock":5}]', json_build_object('en', json_build_object('name', 'Item ' || g,
         'attributes', '[]'::json, 'components', '[]'::json)) FROM numbers WHERE g % 10 BETWEEN 1 AND 5`,
  ],
  [
    "published_variants (variant_id, product_id, languages, price_variants, stock_locations)",
    5,
    `${id("g")}, ${id("g")}, '["en"]', '[{"identifier":"default","price":10}]', '[]' FROM numbers WHERE g % 10 = 5`,
  ],
  ["item_topics (item_id, topic_id, position)", 2, `${id("g")}, '${topic}', 1 FROM numbers`],
  [
    "topics (id, parent_id, resource_identifier)",
    20,
    `${id("g")}, CASE WHEN g % 40 = 0 THEN '${topic}' END, 'topic-' || g FROM numbers`,
  ],
  [
    "topic_contents (topic_id, language, parent_id, path_identifier, name)",
    20,
    `${id("g")}, 'en', CASE WHEN g % 40 = 0 THEN '${topic}' ELSE '' END, 'topic-' || g, 'Topic ' || g FROM numbers`,
  ],
  [
    "item_shortcuts (item_id, parent_id, sort_key)",
    20,
    `${id("g + 1")}, '${otherFolder}', 'z00' || lpad(g::text, 24, '0') FROM numbers`,
  ],
  ["item_aliases (language, path, item_id)", 10, `'en', '/shop/' || g, ${id("g")} FROM numbers`],
  [
    "item_former_paths (item_id, language, path, path_hash, position)",
    10,
    `${id("g + 1")}, 'en', path, encode(sha256(convert_to(path, 'UTF8')), 'hex'), 0
     FROM (SELECT g, '/was/' || g AS path FROM numbers) n`,
  ],
  ["flows (identifier, name, type)", 500, "'flow-' || g, 'Flow ' || g, 'item' FROM numbers"],
  [
    "flow_stages (identifier, flow_identifier, position, name, actions)",
    500,
    "'stage-' || g || '-' || n, 'flow-' || g, n, 'Stage', '[]' FROM numbers, generate_series(0, 1) n",
  ],
  [
    "flow_items (flow_identifier, item_id, language, stage_identifier, sort_key, version, action_config)",
    2,
    `'work', ${id("g")}, 'en', 'todo', 'z00' || lpad(g::text, 24, '0'), 'current', '[]' FROM numbers`,
  ],
  [
    "shapes (identifier, revision, type, name, components, variant_components)",
    500,
    "'shape-' || g, '1', 'document', 'Shape ' || g, '[]', '[]' FROM numbers",
  ],
  [
    "pieces (identifier, revision, name, components)",
    500,
    "'piece-' || g, '1', 'Piece ' || g, '[]' FROM numbers",
  ],
  [
    "customers (identifier, type, email, first_name, external_references, addresses, parents)",
    2,
    `'customer-' || g, 'individual', 'c' || g || '@example.com', 'Customer ' || g,
       jsonb_build_array(jsonb_build_object('key', 'erp', 'value', g::text)), '[]', CASE WHEN g % 20 = 0
       THEN '[{"type":"customer","identifier":"ada"}]' WHEN g % 20 = 2 THEN '[{"type":"customerGroup","identifier":"vip"}]'
       ELSE '[]' END::json FROM numbers`,
  ],
  ["customer_groups (identifier, name, parents)", 100, "'group-' || g, 'Group ' || g, '[]' FROM numbers"],
  [
    "orders (id, resource_identifier, customer_identifier, customer, cart, payment, pipelines, applied_promotions, payment_status, related_order_ids, type)",
    2,
    `${id("g")}, 'order-' || g, customer, json_build_object('identifier', customer),
       '[{"name":"Shoe","sku":"shoe","quantity":1},{"name":"Hat","sku":"hat","quantity":2}]', '[]', '[]', '[]', 'paid', '[]',
       'standard' FROM (SELECT g, CASE WHEN g % 4 = 0 THEN 'ada' ELSE 'customer-' || g END AS customer FROM numbers) n`,
  ],
  [
    "subscription_contracts (id, resource_identifier, customer_identifier, plan_identifier, subscription_plan, sku, item, recurring, addresses)",
    10,
    `${id("g")}, 'contract-' || g, CASE WHEN g % 20 = 0 THEN 'ada' ELSE 'customer-' || g END, 'coffee', plan, 'shoe',
       '{"sku":"shoe"}', '{"currency":"EUR","price":10}', '[]' FROM numbers,
       (SELECT '{"identifier":"coffee","periodId":"${ids.periods[0]}","periodName":"Monthly"}'::json AS plan) p`,
  ],
  [
    "subscription_contract_usages (id, contract_id, metered_variable_identifier, quantity)",
    5,
    `${id("g")}, ${id("(g + 9) / 10 * 10")}, 'cups', 1 FROM numbers`,
  ],
  [
    "price_lists (identifier, name, modifier_type, price_variants, selection_type, target_audience)",
    200,
    `'list-' || g, 'List ' || g, 'RELATIVE', '[]', 'SOME_SKUS', '{"type":"EVERYONE"}' FROM numbers`,
  ],
  [
    "price_list_variants (price_list_identifier, sku, variant_id, price_variants)",
    200,
    `'list-' || g, 'sku-' || s, ${id("s")}, '[]' FROM numbers, LATERAL (VALUES (g - 5), (g - 9)) v(s)`,
  ],
  [
    "images (key, resource_identifier, mime_type, width, height, size, sha256)",
    2,
    `@tenant || '/media/' || lpad(to_hex(g), 32, '0') || '/a.png', 'image-' || g, 'image/png', 1, 1, 1, md5(g::text)
     FROM numbers`,
  ],
  ["pictures (key, sha256, taken)", 10, "'picture-' || g, md5(g::text), true FROM numbers"],
  [
    "bulk_tasks (id, type, kind, status, key, etag, start_order, started_at, validated_at, running_at, progressed_at, ended_at, total, cursor_index, succeeded, created, failed, applied_as, created_by)",
    10,
    `${id("g")}, 'massOperation', CASE WHEN g % 100 = 0 THEN 'plan' ELSE 'run' END, 'complete', 'file-' || g || '.json',
       'etag', g, now(), now(), now(), now(), now(), 10, 10, 10 - failed, 10 - failed, failed,
       CASE WHEN g % 100 = 10 THEN '00' || g || '.json' END, 'token' FROM (SELECT g, (g % 50 = 0)::int AS failed FROM numbers) n`,
  ],
  [
    "webhook_events (task_id, url, status)",
    10,
    `${id("g")}, 'https://example.com/', 'delivered' FROM numbers`,
  ],
  [
    "audit_trail (id, tenant_identifier, actor, action, subject_id)",
    2,
    `${id("g")}, 'shop', 'operator', 'bulkTask.created', ${id("g")} FROM numbers`,
  ],
];

/** Columns that every table with them has, where `rows` gives none. */
const common: Readonly<Record<string, string>> = {
  created_at: "now()",
  updated_at: "now()",
  meta: "'[]'",
  images: "'[]'",
  videos: "'[]'",
  subscription_plans: "'[]'",
};

/**
 * Adds to a tenant that has `beginning` the rows with the numbers from one after `from` to `to`, and renews the
 * planner's statistics. Foreign keys aren't checked: the rows fulfil them.
 */
export async function fillTenant(
  database: Database,
  tenant: Tenant,
  { from, to }: { from: number; to: number },
) {
  const columns = await database.query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_nullable = 'NO' AND column_default IS NULL`,
  );
  const inserts = rows.map(([into, every, select]) => {
    const [, table, given] = /^(\w+) \((.*)\)$/.exec(into) as unknown as [string, string, string];
    const names = given.split(", ");
    const more = columns
      .filter((one) => one.table === table && one.column in common && !names.includes(one.column))
      .map(({ column }) => column);
    const numbers = `WITH numbers AS (
      SELECT g FROM generate_series(${every} * (${from} / ${every} + 1), ${to}, ${every}) g)`;
    // The additional columns come first: their values are constants.
    return `INSERT INTO ${table} (${["tenant_id", ...more, ...names].join(", ")}) ${numbers}
      SELECT ${["@tenant", ...more.map((name) => common[name]), select].join(", ")};`;
  });
  const sql = inserts
    .join("\n")
    .replaceAll("@tenant", text(tenant.id))
    .replaceAll("@root", text(tenant.rootItemId))
    .replaceAll("@vatType", text(String(tenant.settings.vatTypes[0]?.id)));
  await database.script(`SET LOCAL session_replication_role = replica; ${sql}`);
  await writeLog(database, tenant, 1_000 + to / 10);
  await withoutTenantStatistics(database);
  await database.execute("VACUUM ANALYZE");
}

const failure: Partial<LogEntry> = {
  ...{ status: "failure", statusCode: 404, errorName: "CustomerNotFoundError", action: null, output: null },
  ...{ message: "No customer has the identifier", cause: "No customer has the identifier" },
};

/** Writes the log of the one task that has a log, anew. */
async function writeLog(database: Database, tenant: Tenant, entries: number): Promise<void> {
  const key = { tenantId: tenant.id, taskId: loggedTask };
  for (const table of ["operation_log_blocks", "operation_log_failures"])
    await database.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
  await writeLargeLog(database, key, entries, (index) => (index % 5 === 0 ? failure : {}));
  await database.execute("DELETE FROM bulk_tasks WHERE tenant_id = $1 AND id = $2", [tenant.id, loggedTask]);
  await database.execute(
    `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, start_order, started_at, validated_at, running_at,
       progressed_at, ended_at, total, cursor_index, succeeded, created, failed)
     SELECT $1, $2, 'massOperation', 'complete', 'logged.json', 'etag', 0, now(), now(), now(), now(), now(), n, n,
       n - n / 5, n - n / 5, n / 5 FROM (SELECT $3::int AS n) n`,
    [tenant.id, loggedTask, entries],
  );
}
