import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { startWorker } from "../../packages/service/src/runner/schedule/worker.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { listLogs } from "../../packages/service/src/tasks/logs.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { addSetting } from "../../packages/service/test/support/settings.ts";
import { engines } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { blockInsert } from "../support/logs/operation-log.ts";

const logger = pino({ level: "silent" });

describe.each(engines)("settings on $name", ({ open }) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test("a running task sees changed settings in its next batch", async () => {
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

  test("the database refuses incomplete limits of a tenant", async () => {
    const database = await open();
    closing.push(() => database.close());
    await createTenant(database, { identifier: "acme" });
    await expect(database.execute("UPDATE tenants SET limits = '{}'")).rejects.toThrow("tenants_limits");
  });
});

/** The database; calls a function once, after the first commit of a failure's log entry. */
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
