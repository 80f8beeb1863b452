import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { missingPatroni } from "../support/postgres/patroni.ts";
import { type ReplicatedPostgres, startReplicated } from "../support/postgres/replicated.ts";
import { missingServerPrograms } from "../support/postgres/server-programs.ts";
import { torture } from "../torture/torture.ts";

const missing = missingServerPrograms();

// A short run; `npm run torture -- --failover` has an option for the number of failovers.
describe.skipIf(missing)(
  `a database that fails over${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    test("loses nothing and repeats nothing when its primary is killed twice", async () => {
      const options = { engine: "postgresql", prey: "primary", kills: 2, seed: 1 } as const;
      const report = await torture({ ...options, operations: 300, tenants: 2 });
      expect(report).toMatchObject({ wrong: [], killed: { primary: 2 } });
    });

    describe("with a primary and a standby", () => {
      let pair: ReplicatedPostgres;
      beforeAll(async () => {
        pair = await startReplicated();
      });
      afterAll(() => pair?.stop());

      test("is reached at the new primary by the same connections, never at the standby", async () => {
        const [host] = /127\.0\.0\.1:\d+/.exec(pair.url) ?? [];
        const reversed = pair.url.replace(/@([^,]+),([^/]+)/, "@$2,$1");
        for (const url of [pair.url, reversed]) {
          const database = openPostgres(url);
          expect(await database.query("SELECT pg_is_in_recovery() AS standby")).toEqual([{ standby: false }]);
          await database.close();
        }
        const database = openPostgres(pair.url);
        await database.execute("CREATE TABLE cargo AS SELECT 7 AS id");
        await pair.kill();
        await expect(database.query("SELECT FROM cargo")).rejects.toThrow();
        await expect(database.query("SELECT FROM cargo")).rejects.toThrow(`${host} (ECONNREFUSED)`);
        await expect(database.query("SELECT FROM cargo")).rejects.toThrow("(is a standby)");
        await pair.restart();
        expect(await database.query("SELECT id FROM cargo")).toEqual([{ id: 7 }]);
        await database.execute("INSERT INTO cargo VALUES (8)");
        await database.close();
      });

      test("does not acknowledge a commit before its standby confirms it", async () => {
        const database = openPostgres(pair.url);
        await database.execute("CREATE TABLE crates (id int)");
        await pair.killStandby();
        const committed = database.transaction((transaction) =>
          transaction.execute("INSERT INTO crates VALUES (1)"),
        );
        committed.catch(() => {});
        const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
        while ((await pair.query(cancel)).length === 0)
          await new Promise((resolve) => setTimeout(resolve, 20));
        await expect(committed).rejects.toMatchObject({ code: "08007" });
        await database.close();
      });
    });
  },
);

const missingPrograms = missingPatroni();

test.skipIf(missingPrograms)(
  `a database behind Patroni and HAProxy loses nothing and repeats nothing${missingPrograms === undefined ? "" : ` (skipped: ${missingPrograms})`}`,
  async () => {
    const options = { engine: "postgresql", prey: "primary", patroni: true, kills: 2, seed: 7 } as const;
    const report = await torture({ ...options, operations: 100, tenants: 2 });
    expect(report).toMatchObject({ wrong: [], killed: { switchover: 1, primary: 1 } });
  },
);

test("a service whose processes are cut off from the database loses nothing and repeats nothing", async () => {
  const options = { engine: "postgresql", prey: "network", kills: 1, seed: 1, cutMs: 4_000 } as const;
  const report = await torture({ ...options, operations: 300, tenants: 2 });
  expect(report).toMatchObject({ wrong: [], kills: 1 });
});
