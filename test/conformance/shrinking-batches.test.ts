import { describe, expect, test } from "vitest";
import type { ColumnValues, Database } from "../../packages/service/src/storage/database.ts";
import { openTestPostgres } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

/** Number of customers that a long batch loads together; the other writer commits before such a batch ends. */
const long = 20;

describe("a task whose rows another writer keeps changing", () => {
  const bench = opened(() => openRunnerBench(openTestPostgres));

  /** A database on which another writer changes the last customer of every long batch after it was loaded. */
  const disturbed = (onConflict: () => void): Database => ({
    ...bench.database,
    transaction: (work, turn) =>
      bench.database.transaction(
        (inner) =>
          work({
            ...inner,
            query: async <Row>(sql: string, parameters?: Parameters<typeof inner.query>[1]) => {
              const rows = await inner.query<Row>(sql, parameters);
              const loaded = /\bcustomers\b/.test(sql) && (parameters?.[1] as ColumnValues | undefined);
              const wanted = loaded ? loaded.values : [];
              if (wanted.length > long) {
                onConflict();
                await bench.database.execute(
                  "UPDATE customers SET last_name = coalesce(last_name, '') || 'x' WHERE identifier = $1",
                  [String(wanted.at(-1))],
                );
              }
              return rows;
            },
          }),
        turn,
      ),
  });

  test("a task shortens its batches until they succeed", async () => {
    const customers = (firstName: string) =>
      Array.from({ length: 120 }, (_, i) => ({
        intent: "customer/upsert",
        identifier: `c${i}`,
        firstName,
      }));
    await bench.runner();
    await bench.ended(await bench.start(customers("before")));
    await bench.stopRunners();
    let conflicts = 0;
    await bench.runner({ database: disturbed(() => conflicts++) });
    const task = await bench.ended(await bench.start(customers("after")));
    expect(task).toMatchObject({ status: "complete", progress: { processed: 120, succeeded: 120 } });
    expect(conflicts).toBeGreaterThan(2);
    const [row] = await bench.database.query(
      "SELECT count(*) FILTER (WHERE first_name = 'after') AS changed, bool_or(last_name <> '') AS kept FROM customers",
    );
    expect(row).toEqual({ changed: 120, kept: true });
  });
});
