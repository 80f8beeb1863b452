import { afterEach, describe, expect, test } from "vitest";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { holdTask, resumeTask } from "../../packages/service/src/tasks/hold.ts";
import { beforeCommit } from "../support/concurrency/overlapping.ts";
import { engines } from "../support/engines.ts";
import { blockInsert } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
const groups = (count: number) => Array.from({ length: count }, (_, i) => group(`g${i}`));
const failing = { intent: "customer/update", identifier: "nobody", firstName: "x" };

describe.each(engines)("held tasks on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(async () => {
    await bench.stopRunners();
    await bench.database.execute(
      "UPDATE bulk_tasks SET status = 'error', ended_at = now(), error_name = 'x', owner = NULL, lease_until = NULL WHERE status IN ('started', 'running')",
    );
  });

  const hold = (id: string) => holdTask(bench.database, bench.tenant.id, id);
  const resume = (id: string) => resumeTask(bench.database, bench.tenant.id, id);
  const held = (id: string) => bench.until(id, ({ heldAt }) => heldAt !== null);
  const indexes = async (id: string) => (await bench.log(id)).map(({ index }) => index);

  test.each([
    ["hold", hold],
    ["resume", resume],
  ])("%s of an unknown task, or another tenant's, is refused", async (_, change) => {
    await expect(change(newId())).rejects.toMatchObject({ name: "BulkTaskNotFoundError" });
    const other = await bench.newTenant();
    const id = await bench.start(groups(1), { tenant: other });
    await expect(change(id)).rejects.toMatchObject({ name: "BulkTaskNotFoundError" });
    expect((await bench.task(id, other)).heldAt).toBeNull();
    await cancelTask(bench.database, other.id, id);
  });

  test("a task that has ended cannot be held, and one that is not held cannot be resumed", async () => {
    await bench.runner();
    const id = await bench.start(groups(1));
    await bench.ended(id);
    await expect(hold(id)).rejects.toMatchObject({
      name: "InvalidTaskStateError",
      message: expect.stringContaining("has status complete: only a task that has not ended can be held"),
    });
    await expect(resume(id)).rejects.toMatchObject({
      name: "InvalidTaskStateError",
      message: expect.stringContaining("only a held task can be resumed"),
    });
  });

  test("a plan cannot be held", async () => {
    const id = await bench.start(groups(1));
    await bench.database.execute("UPDATE bulk_tasks SET kind = 'plan' WHERE id = $1", [id]);
    await expect(hold(id)).rejects.toMatchObject({ message: expect.stringContaining("is a plan") });
  });

  test("a task held before its turn is validated but not executed, and later tasks say so", async () => {
    const id = await bench.start(groups(3));
    await hold(id);
    const behind = await bench.start(groups(1));
    await bench.runner();
    await bench.until(id, ({ progress }) => progress.total === 3);
    const waiting = await bench.until(behind, ({ progress }) => /is held/.test(progress.waitingFor ?? ""));
    expect(waiting.progress.waitingFor).toBe(`bulk task ${id}, which was started earlier and is held`);
    expect(await bench.task(id)).toMatchObject({
      status: "started",
      heldAt: expect.any(String),
      progress: {
        processed: 0,
        waitingFor: "a call of resumeBulkTask: on request, when 0 operations were executed",
      },
    });
    await resume(id);
    expect(await bench.ended(id)).toMatchObject({ status: "complete", heldAt: null });
    expect((await bench.ended(behind)).status).toBe("complete");
  });

  test("holding twice changes nothing", async () => {
    const id = await bench.start(groups(1));
    const first = await hold(id);
    expect((await hold(id)).heldAt).toBe(first.heldAt);
  });

  test("a task held during execution resumes at the exact operation", async () => {
    const id = await bench.start(groups(3_000));
    const firstBatch = beforeCommit(bench.database, (sql) => blockInsert.test(sql));
    await bench.runner({ database: firstBatch.database });
    await firstBatch.reached;
    // It waits for the batch, which has the task's row, and for PGlite's connection.
    const holding = hold(id);
    firstBatch.release();
    const { progress } = await holding;
    expect(progress.processed).toBeGreaterThan(0);
    expect(progress.processed).toBeLessThan(3_000);
    await bench.stopRunners();
    expect((await bench.task(id)).progress.processed).toBe(progress.processed);
    await bench.runner();
    await resume(id);
    const ended = await bench.ended(id);
    expect(ended).toMatchObject({ status: "complete", progress: { succeeded: 3_000 } });
  });

  test("a canary is held once, after exactly N operations", async () => {
    await bench.runner();
    const id = await bench.start(groups(250), { holdAfter: 7 });
    const task = await held(id);
    expect(task).toMatchObject({
      status: "running",
      progress: {
        processed: 7,
        secondsLeft: null,
        waitingFor: "a call of resumeBulkTask: 7 operations were executed (holdAfter)",
      },
    });
    expect(await indexes(id)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await resume(id)).toMatchObject({ heldAt: null, holdAfter: null });
    expect(await bench.ended(id)).toMatchObject({ status: "complete", progress: { processed: 250 } });
  });

  test("a canary of as many operations as the file has, or more, is not held", async () => {
    await bench.runner();
    for (const holdAfter of [3, 4]) {
      const id = await bench.start(groups(3), { holdAfter });
      expect(await bench.ended(id)).toMatchObject({ status: "complete", heldAt: null });
    }
  });

  test("a task is held after every N failures; resuming restarts the count", async () => {
    await bench.runner();
    const operations = [failing, group("a"), failing, group("b"), failing, failing, failing, group("c")];
    const id = await bench.start(operations, { holdOnFailures: 2 });
    expect((await held(id)).progress).toMatchObject({ processed: 3, failed: 2 });
    await resume(id);
    const again = await bench.until(id, ({ heldAt, progress }) => heldAt !== null && progress.failed > 2);
    expect(again.progress).toMatchObject({
      processed: 6,
      failed: 4,
      waitingFor: "a call of resumeBulkTask: 4 operations have failed (holdOnFailures 2)",
    });
    await resume(id);
    expect(await bench.ended(id)).toMatchObject({
      status: "complete",
      progress: { processed: 8, failed: 5 },
    });
  });

  test("a task stays held when its runner dies while holding it, and can be resumed", async () => {
    const dying: Database = {
      ...bench.database,
      transaction: (work, locks) =>
        bench.database.transaction((transaction) => {
          const execute: typeof transaction.execute = (sql, parameters) => {
            if (/SET owner = NULL, lease_until = NULL, attempts = 0 WHERE/.test(sql))
              throw new Error("the runner ends before it gives the task back");
            return transaction.execute(sql, parameters);
          };
          return work({ ...transaction, execute });
        }, locks),
    };
    await bench.runner({ database: dying, lease: 60_000 });
    const id = await bench.start(groups(5), { holdAfter: 2 });
    await held(id);
    await bench.stopRunners();
    await bench.runner();
    expect((await resume(id)).heldAt).toBeNull();
    expect(await bench.ended(id)).toMatchObject({ status: "complete", progress: { processed: 5 } });
    expect(await indexes(id)).toEqual([0, 1, 2, 3, 4]);
  });

  test("a held task can be cancelled, and the next one runs", async () => {
    await bench.runner();
    const id = await bench.start(groups(5), { holdAfter: 2 });
    const behind = await bench.start(groups(1));
    await held(id);
    await cancelTask(bench.database, bench.tenant.id, id);
    expect(await bench.task(id)).toMatchObject({ info: { errorName: "Cancelled" }, heldAt: null });
    expect((await bench.ended(behind)).status).toBe("complete");
  });

  test.each([
    ["holdAfter", 0],
    ["holdOnFailures", 0],
    ["holdAfter", -1],
  ])("%s of %d is refused", async (name, number) => {
    await expect(bench.start(groups(1), { [name]: number })).rejects.toMatchObject({
      message: expect.stringContaining(`${name} is ${number}: it must be 1 or more`),
    });
  });
});
