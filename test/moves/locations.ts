import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { type MoveOptions, moveData } from "../../packages/service/src/index.ts";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { openPglite } from "../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { sumOf, tenantTables } from "../../packages/service/src/storage/move/tables.ts";
import { freshDatabase, migratedDatabase } from "../support/database.ts";
import { unpackPglite } from "../support/postgres/pglite-folder.ts";

export interface MoveLocation {
  readonly location: { dataDir?: string; databaseUrl?: string };
  using<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
}

/** An empty folder, which goes with the test. The user of a database server may pass through. */
export async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lading-move-"));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const usingDatabase =
  (open: () => Promise<Database>): MoveLocation["using"] =>
  async (work) => {
    const database = await open();
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };

/** A data folder with a PGlite that has the tables of the newest migration. */
export async function pgliteLocation(): Promise<MoveLocation & { location: { dataDir: string } }> {
  const dataDir = await folderOfTest();
  await unpackPglite(dataDir);
  return { location: { dataDir }, using: usingDatabase(() => openPglite(join(dataDir, "database"))) };
}

/** A database of a server: with the tables of the newest migration, or with none. */
export async function serverLocation(
  kind: "migrated" | "empty" = "migrated",
): Promise<MoveLocation & { location: { databaseUrl: string } }> {
  const fresh = await (kind === "empty" ? freshDatabase() : migratedDatabase());
  onTestFinished(() => fresh.drop());
  return { location: { databaseUrl: fresh.url }, using: usingDatabase(async () => openPostgres(fresh.url)) };
}

/** Connects to a server's database until the test has finished. */
export async function connectedTo(url: string, application?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: application });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A proxy to a server's database that a test can cut, as a network failure would. */
export async function cuttable(databaseUrl: string): Promise<{ databaseUrl: string; cut: () => void }> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => other.destroy());
      socket.pipe(other);
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const address = new URL(databaseUrl);
  address.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { databaseUrl: address.href, cut };
}

/** The number of rows and the checksum of every table that has rows. */
export async function sumsOf(queries: Queries): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const table of await tenantTables(queries)) {
    const { rows, checksum } = await sumOf(queries, table);
    if (rows > 0) sums[table.name] = `${rows} rows: ${checksum}`;
  }
  return sums;
}

/** A text that COPY has to escape, and what other engines might read as something else. */
const awkward = "a\ttab, a\nline, \\N, \\., a \\ at the end\\";

const limits = '{"uploadMaxBytes":1,"uploadLifetimeSeconds":1,"maxWaitingTasks":1,"keepBeforeDays":1}';

/** Fills tables with rows of a tenant: values of every type that a column has, and rows that refer to each other. */
export async function fillTenant(database: Queries, identifier: string, items = 50): Promise<string> {
  const id = `id-${identifier}`;
  const run = (sql: string, ...more: (string | number)[]) => database.execute(sql, [id, ...more]);
  await run(
    "INSERT INTO tenants (id, identifier, name, root_item_id, limits) VALUES ($1, $2, $3, 'i0', $4)",
    identifier,
    awkward,
    limits,
  );
  await run(
    `INSERT INTO shapes (tenant_id, identifier, revision, type, name, components, variant_components, created_at,
       updated_at) VALUES ($1, 's', 'r', 'folder', 'S', '[]', '[]', now(), now())`,
  );
  // Each is the child of the next one, so checking a parent early does not find it.
  await run(
    `INSERT INTO items (tenant_id, id, type, shape_identifier, parent_id, sort_key, external_reference, created_at,
       updated_at)
     SELECT $1, 'i' || n, 'folder', CASE WHEN n > 0 THEN 's' END,
       CASE WHEN n > 0 THEN 'i' || ((n + 1) % ($2::int + 1)) END, 'a' || n, $3,
       timestamptz '2026-01-31 12:00:00.123456+00' + n * interval '1 microsecond', now()
     FROM generate_series(0, $2::int) AS n`,
    items,
    `${awkward} 𝒯 é \u{1f600}`,
  );
  await run(
    `INSERT INTO customers (tenant_id, identifier, type, external_references, meta, addresses, parents, created_at,
       updated_at)
     VALUES ($1, $2, 'individual', $3::text::jsonb, '{"b": 1.10, "a": "x"}', '{ "kept" :  [1.0, 1e2] }', '[]', now(),
       '0001-01-01 00:00:00+00')`,
    awkward,
    JSON.stringify([awkward, null]),
  );
  await fillDetails(database, id, identifier);
  await database.query("SELECT setval('bulk_task_start_order', nextval('bulk_task_start_order') + 40)");
  return id;
}

/** Fills the tables whose columns have other types: arrays, bytes, floating point numbers, computed ones. */
async function fillDetails(database: Queries, id: string, identifier: string): Promise<void> {
  const run = (sql: string, ...more: string[]) => database.execute(sql, [id, ...more]);
  await run(
    `INSERT INTO subscription_contracts (tenant_id, id, customer_identifier, plan_identifier, subscription_plan, sku,
       item, recurring, addresses, meta, created_at, updated_at)
     VALUES ($1, 'c', $2, 'p', '{}', 'sku', '{}', '{}', '[]', '{}', now(), now())`,
    awkward,
  );
  await run(
    `INSERT INTO subscription_contract_usages (tenant_id, id, contract_id, metered_variable_identifier, quantity,
       created_at)
     SELECT $1, 'u' || n, 'c', 'm', 1 / n::float8, now() FROM generate_series(1, 20) AS n`,
  );
  await run(
    `INSERT INTO operation_log_blocks (tenant_id, task_id, first_index, end_index, intents, actions, statuses, counts,
       raw_bytes, entries)
     SELECT $1, 't', n, n + 1, ARRAY[$2, NULL, '{"', ''], ARRAY['', 'a', 'b', 'c'], ARRAY['', 'a', 'b', 'c'], '{1,2,3,4}', n,
       decode(repeat('00ff0a5c', 500 * n), 'hex') FROM generate_series(1, 20) AS n`,
    awkward,
  );
  await run(
    `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, created, max_failures)
     VALUES ($1, 't', 'massOperation', 'pending', $1 || '/mass-operations/k/f.json', 'e', 0, NULL)`,
  );
  await run("INSERT INTO uploads VALUES ($1, $1 || '/mass-operations/k/f.json', now())");
  await run(
    `INSERT INTO webhook_events (tenant_id, task_id, url, status)
     VALUES ($1, 't', 'https://a.example/x', 'delivered'), ($1, 'later', 'https://b.example/x', 'pending')`,
  );
  await run(
    "INSERT INTO access_tokens (tenant_id, id, name, role, secret_hash) VALUES ($1, 'k' || $1, 'ci', 'admin', 'h')",
  );
  await run(
    `INSERT INTO audit_trail (tenant_id, id, tenant_identifier, actor, action, subject_id)
     VALUES ($1, 'a1', $2, 'operator', 'tenant.created', $1)`,
    identifier,
  );
}

/** The message that a move is refused or fails with. */
export const refusal = (options: MoveOptions): Promise<string> =>
  moveData(options).then(
    () => "it moved",
    (error: Error) => error.message,
  );

export const between = (from: MoveLocation, to: MoveLocation, tenant?: string): MoveOptions => ({
  from: from.location,
  to: to.location,
  tenant,
});

export const filled = async (location: MoveLocation, ...tenants: string[]) => {
  await location.using(async (database) => {
    for (const tenant of tenants) await fillTenant(database, tenant);
  });
  return location;
};

/** Expects that no table of a location has a row. */
export const isEmpty = async (location: MoveLocation) => expect(await location.using(sumsOf)).toEqual({});
