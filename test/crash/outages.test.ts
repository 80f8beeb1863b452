/** @module-tag release */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseWithFaults } from "../../packages/service/src/app/fault-injection.ts";
import { deadlyAttempts } from "../../packages/service/src/runner/execute/batch-size.ts";
import type { ClaimedTask } from "../../packages/service/src/storage/bulk-tasks/claims/claimed-task.ts";
import type { Parameter } from "../../packages/service/src/storage/database.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import { type PostgresServer, startPostgres } from "../support/postgres/postgres.ts";
import { eventually, openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe("outages of the database", () => {
  let server: PostgresServer;
  let bench: RunnerBench;
  beforeAll(async () => {
    server = await startPostgres({ durable: true });
    bench = await openRunnerBench(async () => {
      const database = openPostgres(server.url);
      await migrate(database);
      return database;
    });
  });
  afterAll(async () => {
    await bench.close();
    await server.stop();
  });

  test("killing the server three times during an operation costs no attempt", async () => {
    const id = await bench.start([{ intent: "customer/upsert", identifier: "c", firstName: "x" }]);
    let outages = 0;
    let down = false;
    const restart = async () => {
      if (!down) return;
      down = false;
      await server.restart();
    };
    const at = async (point: string) => {
      if (point !== "before commit" || outages === 3 || (await bench.task(id)).status !== "running") return;
      outages++;
      down = true;
      await server.kill();
      // A runner starved for longer than its lease has lost the claim, and releases nothing.
      setTimeout(() => void restart(), 3_000);
    };
    const watched = databaseWithFaults(bench.database, { at });
    // The outage outlasts the runner's immediate reaction to the lost connection.
    const execute: typeof watched.execute = (sql, parameters) =>
      watched.execute(sql, parameters).catch(async (error) => {
        if (sql.includes("SET attempts =")) await restart();
        throw error;
      });
    await bench.runner({ database: { ...watched, execute }, lease: 1_000 });
    const ended = () =>
      bench.database
        .query<{ status: string }>("SELECT status FROM bulk_tasks WHERE id = $1", [id])
        .catch(() => []);
    await eventually(ended, ([task]) => task?.status === "complete");
    expect(outages).toBe(3);
    expect(await bench.log(id)).toMatchObject([{ status: "success", statusCode: 200, action: "created" }]);
  });

  test("an outage reported after the next claim costs no attempt either", async () => {
    await bench.stopRunners();
    const id = await bench.start([{ intent: "customer/upsert", identifier: "late", firstName: "x" }]);
    const setAttempts = (attempts: number) =>
      bench.database.execute("UPDATE bulk_tasks SET attempts = $2 WHERE id = $1", [id, attempts]);
    const query = async <Row>(sql: string, parameters?: readonly Parameter[]) => {
      const rows = await bench.database.query<Row & Partial<ClaimedTask>>(sql, parameters);
      const [task] = sql.includes("SKIP LOCKED") ? rows : [];
      if (task?.status !== "running") return rows;
      // Earlier claims were interrupted; one runner reports only now that it was an outage.
      await setAttempts(deadlyAttempts);
      setTimeout(() => void setAttempts(deadlyAttempts - 1), 100);
      return [{ ...task, attempts: deadlyAttempts }];
    };
    await bench.runner({ database: { ...bench.database, query } });
    expect(await bench.ended(id)).toMatchObject({ status: "complete", progress: { succeeded: 1 } });
  });
});
