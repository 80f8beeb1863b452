import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { watchGrowth } from "../../packages/service/src/storage/statistics.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { clusterUrl } from "../support/postgres/create-database.ts";

const rows = 5_000;

describe.each(engines)("plans on $name", ({ open }) => {
  const database = opened(open);
  beforeAll(async () => {
    const { tenant } = await createTenant(database, { identifier: "first" });
    await database.execute(
      `INSERT INTO items (tenant_id, id, type, sort_key, created_at, updated_at)
       SELECT $1, 'item-' || n, 'product', n, now(), now() FROM generate_series(1, ${rows}) n`,
      [tenant.id],
    );
  });

  const plan = async (sql: string) =>
    (await database.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`))
      .map((row) => row["QUERY PLAN"])
      .join("\n");

  // The workers of a cluster have its statistics and its plans.
  const onOneServer = test.skipIf(clusterUrl !== undefined);

  onOneServer("only tables that have grown are analyzed", async () => {
    const known = async () =>
      (
        await database.query<{ rows: number }>(
          "SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'items'",
        )
      )[0]?.rows;
    const grown = watchGrowth(database, pino({ level: "silent" }));
    await grown(new Map([["items", 100]]));
    expect(await known()).toBeLessThan(rows);
    await grown(new Map([["items", rows]]));
    await expect.poll(known, { timeout: 30_000 }).toBeGreaterThanOrEqual(rows);
  });

  onOneServer(
    "a row of a tenant without statistics is found by its key, not by scanning the tenant",
    async () => {
      await database.script("ANALYZE items");
      const { tenant } = await createTenant(database, { identifier: "second" });
      const check = `SELECT 1 FROM ONLY items WHERE tenant_id = '${tenant.id}' AND id = 'x' FOR KEY SHARE`;
      expect(await plan(check)).toContain("items_pkey");
    },
  );
});
