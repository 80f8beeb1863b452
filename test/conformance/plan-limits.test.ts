import { afterEach, describe, expect, test } from "vitest";
import { planLimits } from "../../packages/service/src/runner/services.ts";
import type { Database, DatabaseSession } from "../../packages/service/src/storage/database.ts";
import { engines } from "../support/engines.ts";
import { logFaults, storedEntries } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (n: number) => ({ intent: "customer/group/upsert", identifier: `g${n}`, name: "n" });
const groups = (count: number) => Array.from({ length: count }, (_, n) => group(n));

describe.each(engines)("limits of plans on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  const planned = async (operations: readonly object[]) =>
    bench.ended(await bench.start(operations, { kind: "plan" }));

  /** A database whose sessions call the given function first; if it throws, the plan's lease has expired. */
  const withSessions = (begin: (session: DatabaseSession) => DatabaseSession): Database => ({
    ...bench.database,
    session: (tenantId, work) =>
      bench.database.session(tenantId, async (session) => {
        try {
          return await work(begin(session));
        } catch (error) {
          const now = "UPDATE bulk_tasks SET lease_until = now() WHERE kind = 'plan' AND ended_at IS NULL";
          await bench.database.execute(now);
          throw error;
        }
      }),
  });

  test("a plan with too many operations ends immediately, and names both numbers", async () => {
    await bench.runner({ planLimits: { ...planLimits, operations: 2 } });
    const { id, status, info, progress } = await planned(groups(3));
    expect({ status, info }).toMatchObject({
      status: "error",
      info: {
        errorName: "PlanTooLarge",
        error: "There are 3 operations; a plan can have 2. Plan a part of them",
      },
    });
    expect([progress.processed, await bench.log(id)]).toEqual([0, []]);
    expect(await planned(groups(2))).toMatchObject({ status: "complete", progress: { processed: 2 } });
  });

  test("a plan that exceeds its time limit ends, and names the limit", async () => {
    await bench.runner({ planLimits: { ...planLimits, time: 0 } });
    expect(await planned(groups(3))).toMatchObject({
      status: "error",
      info: {
        errorName: "PlanTimeout",
        error: "The plan took more than 0 minutes. Plan a part of the operations",
      },
    });
  });

  test("a plan that keeps killing its runner ends after the maximum number of starts", async () => {
    let begins = 0;
    const database = withSessions(() => {
      begins++;
      throw new Error("the process is gone");
    });
    await bench.runner({ database, planLimits: { ...planLimits, begins: 3 } });
    expect(await planned(groups(3))).toMatchObject({
      status: "error",
      info: {
        errorName: "InternalError",
        error: "The plan was started 3 times, and each time its runner crashed",
      },
    });
    expect(begins).toBe(3);
  });

  test("a plan interrupted by outages of the database restarts without limit", async () => {
    let outages = 0;
    const database = withSessions((session) => {
      if (++outages > 3) return session;
      throw Object.assign(new Error("terminating connection due to administrator command"), {
        code: "57P01",
      });
    });
    await bench.runner({ database, planLimits: { ...planLimits, begins: 2 } });
    expect(await planned(groups(3))).toMatchObject({ status: "complete", progress: { created: 3 } });
    expect(outages).toBe(4);
  });

  test("a plan whose runner dies after some batches restarts, and logs each operation once", async () => {
    const batches: number[] = [];
    const database = withSessions((session) => {
      batches.push(0);
      const begun = batches.length;
      return {
        ...session,
        transaction: async (work) => {
          batches[begun - 1]!++;
          if (begun === 1 && batches[0] === 3) throw new Error("the process is gone");
          return session.transaction(work);
        },
      };
    });
    await bench.runner({ database });
    const { id, status, progress } = await planned(groups(3_000));
    expect([status, progress.processed, progress.created]).toEqual(["complete", 3_000, 3_000]);
    expect(batches).toEqual([3, expect.any(Number)]);
    const entries = await storedEntries(bench.database, bench.tenant.id, id);
    expect(entries.map(({ index }) => index)).toEqual(groups(3_000).map((_, n) => n));
    expect(await logFaults(bench.database, bench.tenant.id)).toEqual([]);
  });
});
