import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { startWorker } from "../../packages/service/src/runner/schedule/worker.ts";
import { type Database, typeParsers } from "../../packages/service/src/storage/database.ts";
import { pgliteDatabase } from "../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import { initialSettings } from "../../packages/service/src/storage/tenants/settings.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { listLogs } from "../../packages/service/src/tasks/logs.ts";
import { authenticate } from "../../packages/service/src/tenants/access-tokens.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { addSetting } from "../../packages/service/test/support/settings.ts";
import { freshDatabase } from "../support/database.ts";
import { engines } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { blockInsert } from "../support/logs/operation-log.ts";

const logger = pino({ level: "silent" });

describe.each(engines)("settings on $name", ({ open }) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test("a running task sees changed settings with its next batch", async () => {
    const database = await open();
    closing.push(() => database.close());
    const folder = await mkdtemp(join(tmpdir(), "lading-settings-"));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const store = await openFileStore(folder);
    const { tenant } = await createTenant(database, { identifier: "acme" });
    const operations = [
      { intent: "shape/create", identifier: "shelf", name: "Shelf", type: "folder" },
      ...Array.from({ length: 200 }, (_, i) => ({
        intent: "folder/create",
        shapeIdentifier: "shelf",
        name: `{{ defaults.languages.length }} ${i}`,
        language: "no",
        tree: { parentId: "{{ defaults.rootItemId }}" },
      })),
    ];
    const key = newUploadKey(tenant.id, "file.json", "MASS_OPERATIONS");
    const text = Buffer.from(JSON.stringify({ version: "1.0.0", operations }));
    await store.put(key, [text] as never, { maxBytes: 1_000_000 });
    const { id } = await createTask({ database, store }, tenant, { key, autoStart: true });

    const entry = { code: "no", name: "Norwegian" };
    const watched = afterFirstFailure(database, () => addSetting({ database, tenant }, "language", entry));
    const stop = await startWorker({
      database: watched,
      store,
      images: imageFetcher(store),
      logger,
      lease: 10_000,
      slots: 1,
    });
    await expect
      .poll(async () => (await findTask(database, tenant.id, id))?.status, { timeout: 60_000 })
      .toBe("complete");
    await stop();

    const { nodes } = await listLogs(database, tenant.id, { operationId: id }, { first: 1_000 });
    const failed = nodes.filter(({ status }) => status === "failure");
    const succeeded = nodes.slice(1 + failed.length);
    expect(failed[0]?.message).toContain('The tenant has no language "no"; it has "en"');
    expect(succeeded.map(({ status }) => status)).toEqual(succeeded.map(() => "success"));
    expect(Math.min(failed.length, succeeded.length)).toBeGreaterThan(0);
    expect(succeeded[0]?.command).toMatchObject({ name: `2 ${failed.length}` });
  });
});

/** The database, with something done once between the first commit of a failure's log entry and what follows it. */
function afterFirstFailure(database: Database, then: () => Promise<unknown>): Database {
  let done = false;
  return {
    ...database,
    transaction: async (work) => {
      let logged = false;
      const watch =
        <Args extends [sql: string, ...rest: never[]], Result>(run: (...args: Args) => Result) =>
        (...args: Args) => {
          logged ||= blockInsert.test(args[0]) && JSON.stringify(args.slice(1)).includes("failure");
          return run(...args);
        };
      const result = await database.transaction((transaction) =>
        work({
          ...transaction,
          query: watch(transaction.query as never) as never,
          execute: watch(transaction.execute as never) as never,
        }),
      );
      if (logged && !done) {
        done = true;
        await then();
      }
      return result;
    },
  };
}

const migrations = join(import.meta.dirname, "../../packages/service/src/storage/migrations");

describe.each([
  ["PGlite", async () => pgliteDatabase(await PGlite.create({ parsers: Object.fromEntries(typeParsers) }))],
  [
    "PostgreSQL",
    async () => {
      const fresh = await freshDatabase();
      const database = openPostgres(fresh.url);
      return { ...database, close: () => database.close().then(fresh.drop) };
    },
  ],
])("the settings of a tenant that was there before on %s", (_, open) => {
  test("the migration keeps the settings of an existing tenant, and adds what is missing", async () => {
    const database: Database = await open();
    try {
      await database.script(await readFile(join(migrations, "000001.sql"), "utf8"));
      await database.script(
        `CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
         INSERT INTO migrations (name) VALUES ('000001.sql')`,
      );
      const { languages, uploadMaxBytes } = initialSettings();
      const old = {
        languages: [{ code: "no", name: "Norwegian" }, ...languages],
        vatTypes: [{ id: "65a000000000000000000001", name: "Food", percent: 15 }],
        priceVariants: [],
        uploadMaxBytes: 5_000,
      };
      for (const [identifier, settings] of [
        ["old", old],
        ["empty", {}],
      ] as const)
        await database.execute(
          "INSERT INTO tenants (id, identifier, name, root_item_id, settings) VALUES ($1, $1, $1, 'root', $2)",
          [identifier, JSON.stringify(settings)],
        );
      await migrate(database);
      const { vatTypes, ...added } = initialSettings();
      const settingsOf = async (identifier: string) =>
        (await authenticate(database, identifier, undefined))?.tenant.settings;
      expect(await settingsOf("old")).toEqual({
        ...added,
        ...old,
        priceVariants: added.priceVariants,
      });
      const empty = await settingsOf("empty");
      expect(empty).toMatchObject({ ...added, uploadMaxBytes });
      expect(empty?.vatTypes).toEqual([{ ...vatTypes[0], id: expect.stringMatching(/^[0-9a-f]{24}$/) }]);
      await expect(database.execute("UPDATE tenants SET limits = '{}'")).rejects.toThrow("tenants_limits");
    } finally {
      await database.close();
    }
  });
});
