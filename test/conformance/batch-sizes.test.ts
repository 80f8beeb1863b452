import { describe, expect, test } from "vitest";
import type { Database, Parameter } from "../../packages/service/src/storage/database.ts";
import { engines } from "../support/engines.ts";
import { blockInsert } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

/** Minimum size of a batch, however long it takes. */
const smallest = 20;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(engines)("batches on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));

  /** A database whose first write of log entries takes this long. */
  const slowOnce = (milliseconds: number): Database => {
    let left = milliseconds;
    return {
      ...bench.database,
      transaction: (work, turn) =>
        bench.database.transaction(async (inner) => {
          const execute = async (sql: string, parameters?: readonly Parameter[]) => {
            if (blockInsert.test(sql) && left > 0) {
              left = 0;
              await pause(milliseconds);
            }
            return inner.execute(sql, parameters);
          };
          return work({ ...inner, execute });
        }, turn),
    };
  };

  /** The number of operations in each commit of a task, in order. */
  async function sizes(task: string): Promise<number[]> {
    const rows = await bench.database.query<{ size: number }>(
      `SELECT sum(end_index - first_index)::int AS size FROM operation_log_blocks WHERE task_id = $1
       GROUP BY xmin::text ORDER BY min(first_index)`,
      [task],
    );
    return rows.map(({ size }) => size);
  }

  test("batches shrink after a slow write", async () => {
    const groups = Array.from({ length: 200 }, (_, i) => ({
      intent: "customer/group/upsert",
      identifier: `g${i}`,
      name: "n",
    }));
    await bench.runner({ database: slowOnce(400) });
    const task = await bench.start(groups);
    expect(await bench.ended(task)).toMatchObject({ status: "complete", progress: { succeeded: 200 } });
    const [first = 0, second = 0] = await sizes(task);
    expect(second).toBeGreaterThan(0);
    expect(second).toBeLessThanOrEqual(Math.max(smallest, first / 2));
  });
});
