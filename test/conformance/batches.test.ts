import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startWorker } from "../../packages/service/src/runner/schedule/worker.ts";
import { customerGroups } from "../../packages/service/src/storage/collections/customer-groups.ts";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { UnitOfWork } from "../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { listLogs, type OperationLog } from "../../packages/service/src/tasks/logs.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import type { ObjectStore } from "../../packages/service/src/uploads/object-store.ts";
import { engines } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";

const group = (identifier: string, name = "first") => ({ intent: "customer/group/upsert", identifier, name });

describe.each(engines)("batches on $name", ({ name: engine, open }) => {
  let database: Database;
  let folder: string;
  let store: ObjectStore;
  let tenant: Tenant;
  beforeEach(async () => {
    database = await open();
    folder = await mkdtemp(join(tmpdir(), "lading-batches-"));
    store = await openFileStore(folder);
    tenant = (await createTenant(database, { identifier: "acme" })).tenant;
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs operations to the end of their task, over a database that may be watched; returns the log. */
  async function run(operations: object[], watched: Database = database): Promise<OperationLog[]> {
    const key = newUploadKey(tenant.id, "file.json", "MASS_OPERATIONS");
    const text = JSON.stringify({ version: "1.0.0", operations });
    await store.put(key, [Buffer.from(text)] as never, { maxBytes: 1_000_000 });
    const { id } = await createTask({ database, store }, tenant, { key, autoStart: true });
    const logger = pino({ level: "silent" });
    const stop = await startWorker({
      database: watched,
      store,
      images: imageFetcher(store),
      logger,
      lease: 10_000,
      slots: 1,
    });
    for (let ended = false; !ended; ) {
      const task = await findTask(database, tenant.id, id);
      ended = task?.status === "complete" || task?.status === "error";
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await stop();
    const { nodes } = await listLogs(database, tenant.id, { operationId: id }, { first: 1_000 });
    return nodes;
  }

  const stored = async (identifier: string) =>
    (
      await database.query<{ name: string }>(
        "SELECT name FROM customer_groups WHERE tenant_id = $1 AND identifier = $2",
        [tenant.id, identifier],
      )
    )[0]?.name;

  test("an operation that the database refuses fails alone in its batch, with a message", async () => {
    await database.script(
      "ALTER TABLE customer_groups ADD CONSTRAINT refused CHECK (identifier <> 'guilty')",
    );
    const operations = Array.from({ length: 40 }, (_, i) => group(i === 17 ? "guilty" : `innocent-${i}`));
    const log = await run(operations);
    expect(log.map(({ index }) => index)).toEqual(operations.map((_, i) => i));
    expect(log.filter(({ status }) => status !== "success")).toMatchObject([
      { index: 17, status: "failure", statusCode: 400, message: expect.stringContaining("refused") },
    ]);
    expect(await stored("guilty")).toBeUndefined();
    expect(await stored("innocent-39")).toBe("first");
  });

  test("a failed operation leaves nothing behind, and the rest of its batch is untouched", async () => {
    const log = await run([
      group("before"),
      { ...group("wrong"), parents: [{ identifier: "nobody", type: "customerGroup" }] },
      group("before", "second"),
    ]);
    expect(log.map(({ statusCode, action }) => [statusCode, action])).toEqual([
      [200, "created"],
      [404, null],
      [200, "updated"],
    ]);
    expect(await stored("wrong")).toBeUndefined();
    expect(await stored("before")).toBe("second");
  });

  test("the log keeps each operation byte for byte", async () => {
    const [entry] = await run([group("bytes", "Ünïcödé   {{ defaults.tenantIdentifier }}")]);
    expect(entry?.input).toEqual({ ...group("bytes", "Ünïcödé   {{ defaults.tenantIdentifier }}") });
    expect(entry?.command).toMatchObject({ name: "Ünïcödé   acme" });
    const [block] = await database.query<{ rawBytes: number; entries: Uint8Array }>(
      'SELECT raw_bytes AS "rawBytes", entries FROM operation_log_blocks',
    );
    const text = zstdDecompressSync(block!.entries).toString();
    expect(text).toContain(JSON.stringify(group("bytes", "Ünïcödé   {{ defaults.tenantIdentifier }}")));
  });

  test("rows that operations name by their own results are read together", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `group-${i}`);
    await run(names.map((name) => group(name)));
    let reads = 0;
    const transaction: Database["transaction"] = (work) =>
      database.transaction((inner) =>
        work({
          ...inner,
          query: (sql, parameters) => {
            if (/FROM customer_groups/.test(sql)) reads++;
            return inner.query(sql, parameters);
          },
        }),
      );
    const log = await run(
      names.map((name) => ({ ...group("{{ t.id }}", "second"), _results: { t: { id: name } } })),
      { ...database, transaction },
    );
    expect(log.map(({ action }) => action)).toEqual(names.map(() => "updated"));
    expect(reads).toBeLessThan(5);
    expect(await stored("group-19")).toBe("second");
  });

  /** A database where another writer commits just before the first transaction that writes customer groups. */
  function overtakenBy(other: (queries: Queries) => Promise<void>): Database {
    let overtaken = false;
    const transaction: Database["transaction"] = (work) =>
      database.transaction((inner) =>
        work({
          ...inner,
          execute: async (sql, parameters) => {
            if (!overtaken && /customer_groups/.test(sql)) {
              overtaken = true;
              await database.transaction(other);
            }
            return inner.execute(sql, parameters);
          },
        }),
      );
    return { ...database, transaction };
  }

  const writeName = (identifier: string, name: string) => async (queries: Queries) => {
    const unit = new UnitOfWork(queries, tenant.id);
    const now = new Date().toISOString();
    const row = await unit.get(customerGroups, identifier);
    if (row) unit.update(customerGroups, { ...row, parents: [{ identifier: "top", type: "customerGroup" }] });
    else unit.insert(customerGroups, { identifier, name, parents: [], createdAt: now, updatedAt: now });
    await unit.flush();
  };

  // PGlite has one connection, so there are no concurrent writers.
  test.runIf(engine === "PostgreSQL")("a row changed concurrently keeps both changes", async () => {
    await run([group("top"), group("shared")]);
    const watched = overtakenBy(writeName("shared", ""));
    const log = await run([group("shared", "renamed")], watched);
    expect(log).toMatchObject([{ status: "success", action: "updated" }]);
    expect(await stored("shared")).toBe("renamed");
    const [row] = await database.query<{ parents: unknown[] }>(
      "SELECT parents FROM customer_groups WHERE identifier = 'shared'",
    );
    expect(row?.parents).toHaveLength(1);
  });

  test.runIf(engine === "PostgreSQL")(
    "a key taken concurrently is seen when the batch is repeated",
    async () => {
      const watched = overtakenBy(writeName("taken", "theirs"));
      const log = await run(
        [{ ...group("taken", "ours"), intent: "customer/group/create" }, group("next")],
        watched,
      );
      expect(log).toMatchObject([{ statusCode: 409 }, { statusCode: 200 }]);
      expect(await stored("taken")).toBe("theirs");
    },
  );

  test.runIf(engine === "PostgreSQL")("an update does not resurrect a row deleted concurrently", async () => {
    await run([group("doomed")]);
    const watched = overtakenBy(async (queries) => {
      await queries.execute("DELETE FROM customer_groups WHERE identifier = 'doomed'");
    });
    const log = await run([{ ...group("doomed", "renamed"), intent: "customer/group/update" }], watched);
    expect(log).toMatchObject([{ statusCode: 404 }]);
    expect(await stored("doomed")).toBeUndefined();
  });
});
