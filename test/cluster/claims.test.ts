import { expect, test } from "vitest";
import {
  claimTask,
  othersWait,
  TenantRotation,
} from "../../packages/service/src/storage/bulk-tasks/claims/claim.ts";
import { countTasks } from "../../packages/service/src/storage/bulk-tasks/count.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openServerOrCluster } from "../../packages/service/src/storage/engines/citus/cluster.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { migratedDatabase } from "../support/database.ts";
import { clusterUrl } from "../support/postgres/create-database.ts";

const lease = 60_000;

/** A database with a validated task of 2,000 operations for each tenant, that counts its statements. */
async function withTasks(
  tenants: number,
): Promise<{ database: Database; asked: string[]; drop(): Promise<void> }> {
  const fresh = await migratedDatabase();
  const database = await openServerOrCluster(fresh.url);
  const ids = Array.from({ length: tenants }, () => newId()).sort();
  await database.execute(
    `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, start_order, total, validated_at)
     SELECT id, id, 'massOperation', 'started', 'k', 'e', 1, 2000, now() FROM unnest($1::text[]) id`,
    [ids],
  );
  const asked: string[] = [];
  const watched: Database = {
    ...database,
    cluster: database.cluster && {
      ...database.cluster,
      tenantsWith: (...question) => {
        asked.push("tenants");
        return database.cluster!.tenantsWith(...question);
      },
    },
    query: (sql, parameters) => {
      asked.push(sql);
      return database.query(sql, parameters);
    },
  };
  const drop = async () => {
    await database.close();
    await fresh.drop();
  };
  return { database: watched, asked, drop };
}

test.skipIf(clusterUrl === undefined)(
  "a claim asks few tenants, however many wait, and all in turn",
  async () => {
    const { database, asked, drop } = await withTasks(250);
    try {
      const rotation = new TenantRotation();
      const claim = async (execute: "any" | "short") => {
        asked.length = 0;
        const wanted = { execute, plan: "none", validate: false } as const;
        const task = await claimTask(database, "a", lease, wanted, rotation);
        return [task?.tenantId, asked.length] as const;
      };
      const claimed: string[] = [];
      for (let n = 0; n < 250; n++) {
        const [tenant, statements] = await claim("any");
        expect(statements).toBe(2);
        claimed.push(tenant!);
      }
      expect(claimed).toEqual([...new Set(claimed)].sort());
      expect(await claim("any")).toEqual([undefined, 2]);
      await database.execute("UPDATE bulk_tasks SET lease_until = '2000-01-01'");
      expect(await claim("short")).toEqual([undefined, 1]);
      // Behind each of them waits a short task, which is not in turn.
      await database.execute(
        `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, start_order, total, validated_at)
         SELECT tenant_id, 'b' || id, 'massOperation', 'started', 'k', 'e', 2, 10, now() FROM bulk_tasks`,
      );
      expect(await claim("short")).toEqual([undefined, 1]);
      asked.length = 0;
      expect([await othersWait(database), asked.length]).toEqual([true, 2]);
      asked.length = 0;
      expect((await countTasks(database)).queueAgeSeconds).toBeGreaterThan(0);
      expect(asked).toHaveLength(3);
    } finally {
      await drop();
    }
  },
);
