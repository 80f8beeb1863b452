import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { logFaults, storedEntries } from "../support/logs/operation-log.ts";

/** Queries for a tenant's data by natural keys: nothing here depends on generated ids or on time. */
const data = {
  customers: "SELECT identifier, first_name FROM customers WHERE tenant_id = $1 ORDER BY identifier",
  groups: "SELECT identifier, name FROM customer_groups WHERE tenant_id = $1 ORDER BY identifier",
  variants: `SELECT sku, price_variants::text AS prices, stock_locations::text AS stock FROM product_variants
    WHERE tenant_id = $1 ORDER BY sku`,
  items: `SELECT i.resource_identifier, c.name, c.components::text AS components
    FROM items i JOIN item_contents c ON c.tenant_id = i.tenant_id AND c.item_id = i.id
    WHERE i.tenant_id = $1 AND c.version = 'draft' ORDER BY i.resource_identifier, c.language`,
  images: `SELECT mime_type, width, height, size, count(*) AS images FROM images WHERE tenant_id = $1
    GROUP BY mime_type, width, height, size ORDER BY size, width, height`,
} as const;

/** Compares what the tasks of a tenant left behind with those of an undisturbed one; returns every difference. */
export async function differences(
  database: Database,
  tenantId: string,
  undisturbedId: string,
  operations: number,
): Promise<string[]> {
  const wrong = await logFaults(database, tenantId);
  for (const task of await unfinishedTasks(database, tenantId, operations))
    wrong.push(`a task did not pass ${operations} operations: ${JSON.stringify(task)}`);
  const compare = (name: string, actual: readonly object[], expected: readonly object[]) => {
    const rows = Array.from({ length: Math.max(actual.length, expected.length) }, (_, i) => i);
    const at = rows.find((i) => JSON.stringify(actual[i]) !== JSON.stringify(expected[i]));
    if (at !== undefined)
      wrong.push(
        `${name} differ at ${at}: ${JSON.stringify(actual[at])}, undisturbed ${JSON.stringify(expected[at])}`,
      );
  };
  for (const [name, sql] of Object.entries(data))
    compare(name, await database.query(sql, [tenantId]), await database.query(sql, [undisturbedId]));
  compare("log", await comparedLog(database, tenantId), await comparedLog(database, undisturbedId));
  return wrong;
}

/**
 * The started tasks that executed or skipped another number of operations. A run that failed as a whole stopped before
 * its end, and its undo has undone as many.
 */
const unfinishedTasks = (database: Database, tenantId: string, operations: number): Promise<object[]> =>
  database.query(
    `SELECT t.id, t.kind, t.cursor_index FROM bulk_tasks t
     LEFT JOIN bulk_tasks r ON r.tenant_id = t.tenant_id AND r.failure_undo = t.id
     WHERE t.tenant_id = $1 AND t.status <> 'pending' AND t.failure_undo IS NULL
       AND t.cursor_index <> coalesce(r.cursor_index, $2)`,
    [tenantId, operations],
  );

/** The names that a message suggests depend on what a runner remembers; only the messages of defects are compared. */
async function comparedLog(database: Database, tenantId: string): Promise<object[]> {
  const entries = await storedEntries(database, tenantId);
  return entries.map(({ index, intent, status, statusCode, action, message }) => ({
    index,
    intent,
    status,
    statusCode,
    action,
    defect: statusCode === 500 ? message : null,
  }));
}

/** Intents that never succeeded, except those that are meant to fail: a run of failures proves little. */
export async function neverSucceeded(database: Database): Promise<string[]> {
  const rows = await database.query<{ intent: string }>(
    `SELECT intent FROM operation_log_blocks, unnest(intents, statuses) AS c(intent, status) GROUP BY intent
     HAVING bool_and(status <> 'success') AND intent <> 'customer/update' ORDER BY intent`,
  );
  return rows.map(({ intent }) => intent);
}

/** Tasks that did not end, or that a runner still holds. */
export const stuckTasks = (database: Database): Promise<object[]> =>
  database.query("SELECT id, status, owner FROM bulk_tasks WHERE ended_at IS NULL OR owner IS NOT NULL");

/**
 * Stored files without a row that exists or can be brought back, notes of fetched images that were not removed, and
 * files that crashed writers left behind and the store does not remove when it is opened.
 */
export async function orphanedFiles(database: Database, dataDir: string): Promise<string[]> {
  const folder = join(dataDir, "uploads");
  const registered = await database.query<{ key: string }>(
    `SELECT key FROM images UNION SELECT key FROM bulk_tasks
     UNION SELECT unnest(image_keys) FROM operation_before_images`,
  );
  const keys = new Set(registered.map(({ key }) => key));
  const stored = (await readdir(join(folder, "objects"))).map((name) => name.replaceAll("~", "/"));
  const noted = await database.query<{ key: string }>("SELECT key FROM fetched_images");
  return [
    // A file that was uploaded just before the service died belongs to no task: its client uploads it again.
    ...stored.filter((key) => !keys.has(key) && !key.includes("/mass-operations/")),
    ...noted.map(({ key }) => `${key} (noted)`),
    ...(await unfinishedFiles(folder)),
  ];
}

/** Half-written files that are still there when the store is opened much later. */
async function unfinishedFiles(folder: string): Promise<string[]> {
  const incoming = join(folder, "incoming");
  for (const name of await readdir(incoming)) await utimes(join(incoming, name), 0, 0);
  await openFileStore(folder);
  return readdir(incoming);
}
