import { afterEach, describe, expect, test } from "vitest";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { findRetries } from "../../packages/service/src/tasks/find.ts";
import { failureGroups, listLogs } from "../../packages/service/src/tasks/logs.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { type NewRetry, retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { engines } from "../support/engines.ts";
import { blockInsert, logFaults } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const customer = (identifier: string) => ({ intent: "customer/create", identifier });
const topic = (name: string, _ref?: string) => ({
  ...(_ref && { _ref }),
  intent: "topic/create",
  language: "en",
  name,
});
/** A topic that cannot be created until the customer `cause` exists. A second one may have the same name. */
const failing = (name: string, cause: string, _ref?: string) =>
  topic(`${name}{{#with (fetchCustomerByIdentifier '${cause}')}}{{/with}}`, _ref);

describe.each(engines)("retries on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  const retry = (id: string, request: Partial<NewRetry> = {}, tenant = bench.tenant) =>
    retryTask(bench, tenant, { id, autoStart: true, ...request });
  const run = async (operations: readonly object[], options = {}) =>
    bench.ended(await bench.start(operations, options));
  const retried = async (id: string, request: Partial<NewRetry> = {}) =>
    bench.ended((await retry(id, request)).id);
  const refused = (message: RegExp, name = "InvalidTaskStateError") =>
    expect.objectContaining({ name, message: expect.stringMatching(message) });
  /** The numbers and the statuses of the operations in a task's log. */
  const outcomes = async (id: string) =>
    (await bench.log(id)).map(({ index, status }) => `${index} ${status}`);
  const topicNames = async (part: string): Promise<string[]> => {
    const sql = "SELECT name FROM topic_contents WHERE tenant_id = $1 AND name LIKE $2 ORDER BY topic_id";
    return (await bench.database.query<{ name: string }>(sql, [bench.tenant.id, part])).map(
      ({ name }) => name,
    );
  };

  test("a task that executed nothing, is another tenant's or has not ended is refused with advice", async () => {
    await expect(retry("f".repeat(24))).rejects.toEqual(refused(/no bulk task/, "BulkTaskNotFoundError"));
    const pending = await bench.start([failing("p", "never")], { autoStart: false });
    await expect(retry(pending)).rejects.toEqual(refused(/is pending; wait for its end/));
    await cancelTask(bench.database, bench.tenant.id, pending);
    await expect(retry(pending)).rejects.toEqual(refused(/before its file was validated.*run its file/));
    await bench.runner();
    const { id } = await run([failing("o", "never")]);
    await expect(retry(id, {}, await bench.newTenant())).rejects.toEqual(
      refused(/no bulk task/, "BulkTaskNotFoundError"),
    );
    const invalid = await run([{ intent: "topic/create" }]);
    await expect(retry(invalid.id)).rejects.toEqual(refused(/file is invalid.*upload a fixed file/));
    await expect(retry(id, { include: [] })).rejects.toEqual(refused(/include/, "ValidationError"));
    await expect(retry(id, { maxFailures: -1 })).rejects.toEqual(refused(/maxFailures/, "ValidationError"));
  });

  test("a task without such failures, a plan and an undo are refused with advice", async () => {
    await bench.runner();
    const { id } = await run([customer("fine")]);
    await expect(retry(id)).rejects.toEqual(
      refused(/nothing to retry: no operation has the outcome failed or not-attempted$/),
    );
    const failed = await run([failing("k", "never")]);
    await expect(retry(failed.id, { include: ["PARTIAL"] })).rejects.toEqual(
      refused(/nothing to retry: no operation has the outcome partial$/),
    );
    const become = (kind: string) =>
      bench.database.execute("UPDATE bulk_tasks SET kind = $2, of_task = $3 WHERE id = $1", [
        failed.id,
        kind,
        id,
      ]);
    await become("plan");
    await expect(retry(failed.id)).rejects.toEqual(refused(/is a plan/));
    await become("undo");
    await expect(retry(failed.id)).rejects.toEqual(refused(new RegExp(`undo bulk task ${id} again`)));
  });

  test("a task whose file is gone or replaced, or whose log was pruned, is refused", async () => {
    await bench.runner();
    const ended = await run([failing("gone", "never")]);
    await bench.database.execute("UPDATE bulk_tasks SET etag = 'another' WHERE id = $1", [ended.id]);
    await expect(retry(ended.id)).rejects.toEqual(refused(/was replaced/, "UploadNotFoundError"));
    await bench.store.delete(ended.key);
    await expect(retry(ended.id)).rejects.toEqual(refused(/is gone/, "UploadNotFoundError"));
    await bench.database.execute("UPDATE bulk_tasks SET pruning = true WHERE id = $1", [ended.id]);
    await expect(retry(ended.id)).rejects.toEqual(refused(/was pruned/));
  });

  test("repeating a request with an idempotency key returns the first retry; a different request is refused", async () => {
    await bench.runner();
    const { id } = await run([failing("i", "never")]);
    const first = await retried(id, { idempotencyKey: "k" });
    expect((await retry(id, { idempotencyKey: "k" })).id).toBe(first.id);
    await expect(retry(id, { idempotencyKey: "k", include: ["FAILED", "PARTIAL"] })).rejects.toMatchObject({
      name: "IdempotencyKeyExistsError",
      errors: [{ path: ["include"] }],
    });
    await expect(retry(first.id, { idempotencyKey: "k" })).rejects.toMatchObject({
      errors: [{ path: ["id"] }],
    });
  });

  test("of two concurrent retries of a task one is refused with the id of the other, to be retried next", async () => {
    await bench.runner();
    const { id } = await run([failing("twice", "never")]);
    const both = await Promise.allSettled([retry(id, { autoStart: false }), retry(id, { autoStart: false })]);
    const made = both.flatMap((one) => (one.status === "fulfilled" ? [one.value.id] : []));
    const refusals = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(made).toHaveLength(1);
    expect(refusals).toEqual([refused(new RegExp(`last retry, bulk task ${made[0]}`))]);
  });

  test("once the cause is fixed, a retry executes only the failed operations, with the ids of the first run", async () => {
    await bench.runner();
    const { id } = await run([
      topic("base one", "t"),
      failing("a under {{ t.id }}", "cause-1", "late"),
      topic("base two", "t"),
      topic("b under {{ late.id }}"),
      failing("c under {{ t.id }} of {{ defaults.taskId }}", "cause-1"),
      customer("last-1"),
    ]);
    expect(await outcomes(id)).toEqual([
      "0 success",
      "1 failure",
      "2 success",
      "3 failure",
      "4 failure",
      "5 success",
    ]);
    await run([customer("cause-1")]);
    const retry = await retried(id);
    expect(retry).toMatchObject({
      kind: "retry",
      ofTask: id,
      status: "complete",
      progress: { total: 6, processed: 6, succeeded: 3, failed: 0, skipped: 3, toExecute: 3 },
    });
    expect(await outcomes(retry.id)).toEqual(["1 success", "3 success", "4 success"]);
    const [one, two] = (await bench.log(id)).flatMap(({ ref, output }) =>
      ref === "t" ? [output as { id: string }] : [],
    );
    const [late] = (await bench.log(retry.id)).map(({ output }) => output as { id: string });
    expect((await topicNames("% under %")).sort()).toEqual([
      `a under ${one?.id}`,
      `b under ${late?.id}`,
      `c under ${two?.id} of ${id}`,
    ]);
    expect((await bench.task(id)).progress).toMatchObject({ failed: 3, repaired: 3 });
    expect(await logFaults(bench.database, bench.tenant.id)).toEqual([]);
  });

  test("a retry resumes a task that ended early, and executes what was not attempted", async () => {
    await bench.runner();
    const operations = [topic("early", "t"), failing("e1 {{ t.id }}", "cause-2"), failing("e2", "cause-2")];
    const { id } = await run([...operations, topic("e3 {{ t.id }}"), failing("e4", "cause-2")], {
      maxFailures: 1,
    });
    expect(await outcomes(id)).toEqual(["0 success", "1 failure", "2 failure"]);
    await run([customer("cause-2")]);
    const again = await retried(id, { include: ["NOT_ATTEMPTED"] });
    expect(await outcomes(again.id)).toEqual(["3 success", "4 success"]);
    const third = await retried(again.id);
    expect(await outcomes(third.id)).toEqual(["1 success", "2 success"]);
    expect((await bench.task(id)).progress).toMatchObject({ failed: 2, repaired: 2 });
    await expect(retry(third.id)).rejects.toEqual(refused(/nothing to retry/));
  });

  test("a retry of a retry executes what failed again, was left out or was not attempted", async () => {
    await bench.runner();
    const causes = ["cause-3", "cause-4", "cause-3", "cause-5", "cause-3"];
    const { id } = await run(causes.map((cause, at) => failing(`again ${at}`, cause)));
    await run([customer("cause-3")]);
    const second = await retried(id, { maxFailures: 1 });
    expect(await outcomes(second.id)).toEqual(["0 success", "1 failure", "2 success", "3 failure"]);
    await expect(retry(id)).rejects.toEqual(refused(new RegExp(`last retry, bulk task ${second.id}`)));
    const repairs = async (task: string) => (await bench.log(task)).map(({ repairedBy }) => repairedBy);
    expect(await repairs(id)).toEqual([second.id, null, second.id, null, null]);
    await run([customer("cause-4")]);
    const third = await retried(second.id);
    expect(await outcomes(third.id)).toEqual(["1 success", "3 failure", "4 success"]);
    await run([customer("cause-5")]);
    const fourth = await retried(third.id);
    expect(await outcomes(fourth.id)).toEqual(["3 success"]);
    expect((await topicNames("again %")).sort()).toEqual(causes.map((_, at) => `again ${at}`));
    const repaired = async (task: string) => (await bench.task(task)).progress.repaired;
    const line = [id, second.id, third.id, fourth.id];
    expect(await Promise.all(line.map(repaired))).toEqual([5, 2, 1, 0]);
    expect(await repairs(id)).toEqual([1, 2, 1, 3, 2].map((at) => line[at]));
    expect(await repairs(second.id)).toEqual([null, third.id, null, fourth.id]);
    const retries = await findRetries(bench.database, bench.tenant.id, [id, third.id]);
    const followed = [...retries].map(([task, after]) => [task, after.map((one) => one.id)]);
    expect(Object.fromEntries(followed)).toEqual({ [id]: line.slice(1), [third.id]: [fourth.id] });
  });

  test("groups of failures cover a task or, without repaired ones, its last failures", async () => {
    await bench.runner();
    const broken = { intent: "item/delete", itemId: "f".repeat(24) };
    const { id } = await run([failing("g1", "heals"), failing("g2", "never"), broken]);
    const groups = async (taskId: string, unrepaired: boolean) => {
      const found = await failureGroups(bench.database, bench.tenant.id, { taskId, unrepaired });
      return found.map(({ intent, count, firstIndex }) => [intent, count, firstIndex]);
    };
    const firstTasks = async (taskId: string, unrepaired: boolean) =>
      (await failureGroups(bench.database, bench.tenant.id, { taskId, unrepaired })).map(
        (one) => one.firstTask,
      );
    const all = [
      ["topic/create", 2, 0],
      ["item/delete", 1, 2],
    ];
    expect([await groups(id, false), await groups(id, true)]).toEqual([all, all]);
    await run([customer("heals")]);
    const { id: again } = await retried(id);
    const left = [
      ["topic/create", 1, 1],
      ["item/delete", 1, 2],
    ];
    expect([await groups(id, false), await groups(again, false)]).toEqual([all, left]);
    expect([await groups(id, true), await groups(again, true)]).toEqual([left, left]);
    expect([await firstTasks(id, false), await firstTasks(id, true)]).toEqual([
      [id, id],
      [again, again],
    ]);
    const unrepaired = async (operationId: string, filter = {}) => {
      const asked = { operationId, unrepaired: true, ...filter };
      const page = await listLogs(bench.database, bench.tenant.id, asked, { first: 1 });
      const [index] = page.nodes.map((entry) => entry.index);
      return [index, page.hasNextPage, await page.totalCount()];
    };
    for (const task of [id, again]) {
      expect(await unrepaired(task)).toEqual([1, true, 2]);
      expect(await unrepaired(task, { operationTypeStartsWith: "item/" })).toEqual([2, false, 1]);
      expect(await unrepaired(task, { text: "no such cause" })).toEqual([undefined, false, null]);
    }
  });

  test("a task is not pruned while a retry of it, or of that retry, is open", async () => {
    await bench.runner();
    const { id } = await run([failing("kept", "cause-6")]);
    const prune = async () => {
      await pruneTasks(bench, { olderThanDays: -1 });
      return (await bench.task(id)).prunedAt;
    };
    const second = await retried(id);
    const third = await retry(second.id, { autoStart: false });
    expect(await prune()).toBeNull();
    expect((await bench.task(second.id)).prunedAt).toBeNull();
    await cancelTask(bench.database, bench.tenant.id, third.id);
    expect(await prune()).not.toBeNull();
  });

  /** The database; one transaction that writes entries fails for each new runner. */
  const failingOnce = (after: number): Database => {
    let batches = 0;
    const watch = (inner: Queries): Queries => ({
      ...inner,
      execute: async (sql, parameters) => {
        const done = await inner.execute(sql, parameters);
        if (blockInsert.test(sql) && ++batches === after) throw new Error("the process is gone");
        return done;
      },
    });
    return {
      ...bench.database,
      transaction: (work, locks) => bench.database.transaction((t) => work(watch(t)), locks),
    };
  };

  test("a retry whose runner dies repeats nothing, and rereads earlier results", async () => {
    const count = 624;
    const operations = Array.from({ length: count }, (_, at) =>
      at % 6 === 0
        ? topic(`r${at} first`, `t${at}`)
        : failing(
            `r${at} {{ t${at - (at % 6)}.id }}{{#if true}}${at % 6 === 2 ? `{{ f${at - 1}.id }}` : ""}{{/if}}`,
            "cause-7",
            `f${at}`,
          ),
    );
    const stop = await bench.runner();
    const { id, progress } = await run(operations);
    expect(progress).toMatchObject({ succeeded: count / 6, failed: (count / 6) * 5 });
    await run([customer("cause-7")]);
    await stop();
    const { id: second } = await retry(id);
    for (const batches of [1, 2]) {
      const stopGone = await bench.runner({ database: failingOnce(batches), lease: 300 });
      const before = (await bench.task(second)).progress.processed;
      if (batches > 1)
        await bench.until(second, (task) => task.progress.processed > before || task.endedAt !== null);
      await stopGone();
    }
    await bench.runner();
    expect(await bench.ended(second)).toMatchObject({ status: "complete", progress: { failed: 0 } });
    expect(await topicNames("r%")).toHaveLength(count);
    expect(new Set(await topicNames("r%")).size).toBe(count);
    expect(await logFaults(bench.database, bench.tenant.id)).toEqual([]);
    expect((await bench.task(id)).progress.repaired).toBe(progress.failed);
  });
});
