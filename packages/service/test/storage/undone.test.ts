import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTenantId } from "../../../../test/support/claims.ts";
import { historyEngines, sharedPostgres } from "../../../../test/support/engines.ts";
import { runs } from "../../../../test/support/extent.ts";
import { advanceCursor } from "../../src/storage/bulk-tasks/advance-cursor.ts";
import { cancelTasksOfTenant, cancelUnended } from "../../src/storage/bulk-tasks/cancel.ts";
import { insertRetry } from "../../src/storage/bulk-tasks/create.ts";
import { completeTask, failTask } from "../../src/storage/bulk-tasks/end.ts";
import { activityHours } from "../../src/storage/bulk-tasks/overview.ts";
import { takePrunable } from "../../src/storage/bulk-tasks/prune.ts";
import { countRepaired, failedOperations } from "../../src/storage/bulk-tasks/retries/failed-operations.ts";
import {
  attemptedTo,
  type ChainTask,
  chainOf,
  countedTasks,
  failureSources,
  type RetriedOutcome,
  retriedOutcomes,
  unrepairedSources,
} from "../../src/storage/bulk-tasks/retries/retry-chain.ts";
import { findTaskToUndo, insertUndo } from "../../src/storage/bulk-tasks/undos/undo-rows.ts";
import type { Database, Queries } from "../../src/storage/database.ts";
import { newId } from "../../src/storage/ids.ts";
import { retry } from "../../src/storage/retry.ts";
import { sqlStateOf, sqlStates } from "../../src/storage/sql-states.ts";

/** A task of the model, which knows what its undos have done and nothing of how that is stored. */
interface Task {
  readonly id: string;
  readonly kind: "run" | "retry" | "undo";
  readonly of: Task | null;
  readonly total: number;
  executed: number;
  succeeded: number;
  skipped: number;
  end: "complete" | "error" | null;
}

/** Derives what is undone of a task, and by which undo, from all that has happened. */
function undoneOf(task: Task, tasks: readonly Task[]): { undone: string; undoneBy: string | null } {
  const undosOf = (of: Task) => tasks.filter(({ kind, of: undone }) => kind === "undo" && undone === of);
  const partOf = (undo: Task) => undoneOf(undo, tasks).undone;
  const position = (undo: Task) => tasks.indexOf(undo);
  const isOutdated = (undo: Task) =>
    undosOf(task)
      .filter((earlier) => position(earlier) < position(undo))
      .flatMap(undosOf)
      .some((redo) => position(redo) > position(undo) && redo.succeeded > 0 && partOf(redo) !== "whole");
  const isWhole = (undo: Task) =>
    undo.end === "complete" &&
    undo.succeeded + undo.skipped === undo.executed &&
    partOf(undo) === "none" &&
    !isOutdated(undo);
  const inEffect = undosOf(task).filter((undo) => partOf(undo) !== "whole");
  const effective = inEffect.filter(({ succeeded }) => succeeded > 0);
  const whole = inEffect.findLast(isWhole);
  const by =
    inEffect.find(({ end }) => end === null) ?? effective.findLast(isWhole) ?? effective.at(-1) ?? whole;
  const undone = whole !== undefined ? "whole" : effective.length > 0 ? "part" : "none";
  return { undone, undoneBy: by?.id ?? null };
}

type Outcome = "success" | "failure" | "skipped";
type LoggedOutcome = "success" | "partial" | "failure";

/** A task from its creation to its end, with the outcomes of each batch. */
const episode = fc.record({
  kind: fc.constantFrom("retry", "retry", "undo" as const),
  at: fc.nat(20),
  include: fc.subarray([...retriedOutcomes], { minLength: 1 }),
  batches: fc.array(
    fc.array(fc.constantFrom<LoggedOutcome>("success", "partial", "failure"), { maxLength: 4 }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  end: fc.constantFrom("complete", "complete", "error", "cancel" as const),
  hours: fc.constantFrom(0, 0, 1, 5),
  exactly: fc.boolean(),
});
type Episode = typeof episode extends fc.Arbitrary<infer Value> ? Value : never;

type Step = { at: number; of: "newest" | "any" } & (
  | { do: "undo" | "retry" | "complete" | "error" | "cancel" }
  | { do: "batch"; outcomes: Outcome[] }
);

const location = { at: fc.nat(20), of: fc.constantFrom("newest", "newest", "any") };
const outcomes = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant("success") },
    { weight: 2, arbitrary: fc.constant("skipped") },
    fc.constant("failure"),
  ),
  { minLength: 1, maxLength: 2 },
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...location, do: fc.constant("undo") }) },
  { weight: 4, arbitrary: fc.record({ ...location, do: fc.constant("batch"), outcomes }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...location,
      do: fc.constantFrom("retry", "complete", "complete", "complete", "error", "cancel"),
    }),
  },
) as fc.Arbitrary<Step>;

/** Commits a transaction, again after conflicts; not after a deadlock. */
const untilCommitted = (database: Database, work: (transaction: Queries) => Promise<void>) =>
  retry(() => database.transaction(work), {
    afterFailure: (error) => (sqlStateOf(error) === sqlStates.serializationFailure ? "again" : "throw"),
    attempts: 20,
  });

/** The tasks of a new tenant, each in the database and in the model. */
class Tasks {
  readonly all: Task[] = [];
  readonly #database: Database;
  readonly #tenantId: string;
  /** The operations that each batch executed; its hour in milliseconds since 1970. */
  readonly #worked: { hour: number; executed: number; failed: number }[] = [];

  constructor(database: Database, tenantId: string) {
    this.#database = database;
    this.#tenantId = tenantId;
  }

  /** A run that has executed `total` operations to its end. */
  async run(total: number): Promise<Task> {
    const run = await this.begin(total);
    await this.batch(
      run,
      Array.from({ length: total }, () => "success"),
    );
    await this.end(run, "complete");
    return run;
  }

  /** A run of which nothing is executed yet. */
  async begin(total: number): Promise<Task> {
    const id = newId();
    await this.#database.execute(
      `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, validated_at, total, keeps_before)
       VALUES ($1, $2, 'massOperation', 'pending', 'k', 'e', now(), $3, true)`,
      [this.#tenantId, id, total],
    );
    return this.#begin({ id, kind: "run", of: null, total });
  }

  async take(step: Step): Promise<void> {
    const isNew = step.do === "undo" || step.do === "retry";
    const candidates = this.all.filter(
      ({ end, executed }) => isNew === (end !== null) && (!isNew || executed > 0),
    );
    const task = step.of === "newest" ? candidates.at(-1) : candidates[step.at % candidates.length];
    if (task === undefined) return;
    if (step.do === "undo") await this.undo(task);
    else if (step.do === "retry") await this.retry(task);
    else if (step.do === "batch") await this.batch(task, step.outcomes);
    else await this.end(task, step.do);
  }

  async undo(of: Task): Promise<Task | undefined> {
    const found = await findTaskToUndo(this.#database, this.#tenantId, of.id);
    const follows = (task: Task): boolean =>
      task.of === of || (task.kind === "retry" && task.of?.kind === "retry" && follows(task.of));
    const isOpen = this.all.some((task) => task.end === null && follows(task));
    expect(found?.undo?.isOpen || found?.openRetry != null).toBe(isOpen);
    expect(found?.undo?.isWhole ?? false).toBe(undoneOf(of, this.all).undone === "whole");
    if (isOpen || found?.undo?.isWhole) return undefined;
    const limits = { maxFailures: null, holdAfter: null, holdOnFailures: null, idempotencyKey: null };
    const origin = { ofTask: of.id, createdBy: "operator" };
    const row = { tenantId: this.#tenantId, id: newId(), ...origin, autoStart: true, ...limits };
    await this.#database.transaction((transaction) => insertUndo(transaction, { ...row, kind: "undo" }));
    return this.#begin({ id: row.id, kind: "undo", of, total: of.executed });
  }

  async retry(of: Task): Promise<void> {
    const isFollowed = this.all.some(
      (task) => task.of === of && (task.kind === "retry" || task.end === null),
    );
    if (of.kind !== "undo" && !isFollowed) await this.beginRetry(of);
  }

  async beginRetry(of: Task, include: readonly RetriedOutcome[] = ["FAILED"], toExecute = 1): Promise<Task> {
    const earlier = (await chainOf(this.#database, this.#tenantId, of.id)).map(({ id }) => id);
    const limits = { maxFailures: null, holdAfter: null, holdOnFailures: null, idempotencyKey: null };
    const origin = { ofTask: of.id, createdBy: "operator" };
    const row = { tenantId: this.#tenantId, id: newId(), ...origin, autoStart: true, ...limits };
    const retry = { ...row, include, toExecute };
    await untilCommitted(this.#database, (transaction) => insertRetry(transaction, retry, earlier));
    return this.#begin({ id: row.id, kind: "retry", of, total: of.total });
  }

  /** The next operations of a run or retry, as its runner selects them; or of a new retry of `chain`. */
  async selected(
    { executed, total }: Pick<Task, "executed" | "total">,
    include: readonly RetriedOutcome[] | null,
    earlier: readonly ChainTask[],
  ): Promise<number[]> {
    const from = (first: number) => Array.from({ length: Math.max(0, total - first) }, (_, i) => first + i);
    if (include === null) return from(executed);
    const sources = failureSources(earlier, include);
    const next = { from: executed, count: total };
    const failed = await failedOperations(this.#database, this.#tenantId, sources, next);
    const rest = include.includes("NOT_ATTEMPTED")
      ? from(Math.max(executed, attemptedTo(earlier).index))
      : [];
    return [...failed.map(({ index }) => index), ...rest];
  }

  /** Executes operations of a run or retry with these outcomes, as its runner does, with failures and repairs. */
  async execute(task: Task, outcomes: readonly LoggedOutcome[]): Promise<void> {
    const chain = await chainOf(this.#database, this.#tenantId, task.id);
    const [counted, ...earlier] = countedTasks(chain);
    const selected = await this.selected(task, counted?.include ?? null, earlier);
    const done = selected.slice(0, outcomes.length).map((index, i) => ({ index, status: outcomes[i]! }));
    const [found, index] = [task.executed, selected[done.length] ?? task.total];
    const executed = done.map(({ status }) => ({
      status,
      action: status === "failure" ? null : ("updated" as const),
    }));
    const claim = await this.#claim(task);
    const advance = {
      found,
      index,
      offset: index,
      lease: 60_000,
      executed,
      skipped: index - found - done.length,
    };
    await untilCommitted(this.#database, async (transaction) => {
      for (const { index, status } of done.filter(({ status }) => status !== "success"))
        await transaction.execute(
          "INSERT INTO operation_log_failures VALUES ($1, $2, $3, $4, 404, 'X', 'i', 'cause')",
          [this.#tenantId, task.id, index, status],
        );
      await advanceCursor(transaction, claim, advance);
      const succeeded = done.filter(({ status }) => status === "success").map(({ index }) => index);
      await countRepaired(
        transaction,
        this.#tenantId,
        chain.slice(1).map(({ id }) => id),
        succeeded,
      );
    });
    task.executed = index;
    const failed = done.filter(({ status }) => status !== "success").length;
    if (done.length > 0 || index > found) await this.#noteHour(task, done.length, failed);
  }

  async #noteHour({ id }: Task, executed: number, failed: number): Promise<void> {
    const [row] = await this.#database.query<{ hour: string }>(
      "SELECT date_trunc('hour', progressed_at, 'UTC') AS hour FROM bulk_tasks WHERE tenant_id = $1 AND id = $2",
      [this.#tenantId, id],
    );
    if (row) this.#worked.push({ hour: Date.parse(row.hour), executed, failed });
  }

  /** Moves all that has happened back by some hours; to the beginning of its hour, if `exactly`. */
  async hoursPass(hours: number, exactly: boolean): Promise<void> {
    const time = exactly ? "date_trunc('hour', progressed_at, 'UTC')" : "progressed_at";
    const back = "make_interval(hours => $2)";
    for (const sql of [
      `UPDATE bulk_tasks SET progressed_at = ${time} - ${back} WHERE tenant_id = $1`,
      `UPDATE operation_hours SET hour = hour - interval '1000 hours' - ${back} WHERE tenant_id = $1`,
      "UPDATE operation_hours SET hour = hour + interval '1000 hours' WHERE tenant_id = $1",
    ])
      await this.#database.execute(sql, sql.includes("$2") ? [this.#tenantId, hours] : [this.#tenantId]);
    for (const each of this.#worked) each.hour -= hours * 3_600_000;
  }

  /** Compares the stored sums with the log: what is repaired of each task, and what was executed in each hour. */
  async expectCounted(): Promise<void> {
    const counts = (task: Task) => task.kind === "run" || undoneOf(task, this.all).undone === "none";
    for (const { id } of this.all.filter((task) => task.kind !== "undo" && counts(task))) {
      const unrepaired = await unrepairedSources(this.#database, this.#tenantId, id);
      const from = { from: 0, count: 1_000 };
      const open = await failedOperations(this.#database, this.#tenantId, unrepaired, from);
      const [task] = await this.#database.query<{ open: number; own: number[] }>(
        `SELECT partial + failed - repaired AS open, ARRAY (SELECT f.index FROM operation_log_failures f
           WHERE f.tenant_id = t.tenant_id AND f.task_id = t.id) AS own
         FROM bulk_tasks t WHERE tenant_id = $1 AND id = $2`,
        [this.#tenantId, id],
      );
      // Two tasks may have an outcome of one operation, if a retry between them was undone.
      const ofItself = new Set(open.map(({ index }) => index)).intersection(new Set(task?.own));
      expect(task?.open).toBe(ofItself.size);
    }
    const expected = Map.groupBy(
      this.#worked.filter(({ executed }) => executed > 0),
      ({ hour }) => hour,
    );
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    const hours = await activityHours(this.#database, this.#tenantId, 192);
    expect(hours.filter(({ operations }) => operations > 0)).toEqual(
      [...expected]
        .toSorted(([one], [other]) => one - other)
        .map(([hour, worked]) => ({
          hour: new Date(hour).toISOString(),
          operations: sum(worked.map(({ executed }) => executed)),
          failed: sum(worked.map(({ failed }) => failed)),
        })),
    );
  }

  async #begin(task: Pick<Task, "id" | "kind" | "of" | "total">): Promise<Task> {
    const begun: Task = { ...task, executed: 0, succeeded: 0, skipped: 0, end: null };
    this.all.push(begun);
    await this.#database.execute("UPDATE bulk_tasks SET keeps_before = true WHERE id = $1", [task.id]);
    return begun;
  }

  async #claim({ id: taskId }: Task) {
    await this.#database.execute(
      `UPDATE bulk_tasks SET status = 'started', start_order = 1, owner = 'r', lease_until = now() + interval '1 hour'
       WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL`,
      [this.#tenantId, taskId],
    );
    return { tenantId: this.#tenantId, taskId, owner: "r", epoch: 0 };
  }

  async batch(task: Task, outcomes: readonly Outcome[]): Promise<void> {
    const claim = await this.#claim(task);
    const done = outcomes.slice(0, task.total - task.executed);
    const executed = done
      .filter((status) => status !== "skipped")
      .map((status) => ({ status, action: status === "success" ? ("updated" as const) : null }));
    const [found, index] = [task.executed, task.executed + done.length];
    const skipped = done.length - executed.length;
    const advance = { found, index, offset: index, lease: 60_000, executed, skipped };
    await untilCommitted(this.#database, (transaction) => advanceCursor(transaction, claim, advance));
    task.executed = index;
    task.succeeded += executed.filter(({ status }) => status === "success").length;
    task.skipped += skipped;
    await this.#noteHour(task, executed.length, executed.filter(({ status }) => status === "failure").length);
  }

  async end(task: Task, how: "complete" | "error" | "cancel"): Promise<void> {
    const claim = await this.#claim(task);
    const isComplete = how === "complete" && task.executed === task.total;
    if (isComplete) await completeTask(this.#database, claim);
    else if (how !== "cancel") await failTask(this.#database, claim, { error: "e", errorName: "E" });
    else
      await cancelUnended(this.#database, {
        tenantId: this.#tenantId,
        id: task.id,
        by: null,
        entry: undefined,
      });
    task.end = isComplete ? "complete" : "error";
  }

  async expectStored(): Promise<void> {
    const stored = await this.#database.query<{ id: string }>(
      'SELECT id, undone, undone_by AS "undoneBy" FROM bulk_tasks WHERE tenant_id = $1 ORDER BY id',
      [this.#tenantId],
    );
    expect(stored).toEqual(this.all.map((task) => ({ id: task.id, ...undoneOf(task, this.all) })));
  }
}

describe.each(historyEngines)("what is undone of a task, on $name", ({ open, runs }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  test("is stored after every step of runs, retries, undos and undos of undos", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const tasks = new Tasks(database, await newTenantId(database));
        await tasks.run(2);
        for (const step of steps) {
          await tasks.take(step);
          await tasks.expectStored();
        }
      }),
      { numRuns: runs(150) },
    );
  });
});

describe.each(historyEngines)(
  "what is repaired of a task, and the operations of each hour, on $name",
  ({ open, runs }) => {
    let database: Database;
    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database.close());

    /** Begins an undo of any task, or the next retry of the chain, if there may be one. */
    async function begin(tasks: Tasks, tenantId: string, { kind, at, include }: Episode) {
      if (kind === "undo") {
        const of = tasks.all[at % tasks.all.length]!;
        const found = await findTaskToUndo(database, tenantId, of.id);
        return of.executed === 0 || found?.laterRetry || found?.laterUndo ? undefined : tasks.undo(of);
      }
      const last = tasks.all.findLast((task) => task.kind !== "undo")!;
      const chain = countedTasks(await chainOf(database, tenantId, last.id));
      const { length } = await tasks.selected({ executed: 0, total: last.total }, include, chain);
      return length === 0 ? undefined : tasks.beginRetry(last, include, length);
    }

    test("are as the log says after every batch and end of runs, retries, undos and undos of undos", async () => {
      await fc.assert(
        fc.asyncProperty(
          episode,
          fc.array(episode, { minLength: 4, maxLength: 10 }),
          async (first, episodes) => {
            const tenantId = await newTenantId(database);
            const tasks = new Tasks(database, tenantId);
            for (const episode of [{ ...first, kind: "run" as const }, ...episodes]) {
              const task =
                episode.kind === "run"
                  ? await tasks.begin(6)
                  : await begin(tasks, tenantId, episode as Episode);
              if (task === undefined) continue;
              for (const outcomes of episode.batches) {
                if (task.kind === "undo")
                  await tasks.batch(
                    task,
                    outcomes.map((one) => (one === "partial" ? "skipped" : one)),
                  );
                else await tasks.execute(task, outcomes);

                if (episode.hours > 0) await tasks.hoursPass(episode.hours, episode.exactly);
                await tasks.expectCounted();
              }
              await tasks.end(task, episode.end);
              await tasks.expectCounted();
            }
          },
        ),
        { numRuns: runs(60) },
      );
    });
  },
);

/** Ways to come to two open undos whose ends decide what is undone of one run: it was undone in part before. */
const together: Record<string, (tasks: Tasks, run: Task, part: Task) => Promise<Task | undefined>> = {
  "an undo of the rest, and one of the first undo": (tasks, _run, part) => tasks.undo(part),
  "an undo of the rest, and one of the redo of the first undo": async (tasks, _run, part) => {
    const redo = await tasks.undo(part);
    if (redo === undefined) return undefined;
    await tasks.batch(redo, ["success"]);
    await tasks.end(redo, "complete");
    return tasks.undo(redo);
  },
};

describe("undos that end together, on PostgreSQL", () => {
  let database: Database;
  beforeAll(async () => {
    database = await sharedPostgres();
  });
  afterAll(() => database.close());

  test.each(Object.keys(together))(
    "count both, with a retry and a prune, and without a deadlock: %s",
    async (way) => {
      for (let round = 0; round < runs(100); round++) {
        const tenantId = await newTenantId(database);
        const tasks = new Tasks(database, tenantId);
        const run = await tasks.run(2);
        const part = await tasks.undo(run);
        if (part === undefined) throw new Error("the run cannot be undone");
        await tasks.batch(part, ["success"]);
        await tasks.end(part, "cancel");
        const other = await together[way]?.(tasks, run, part);
        const rest = await tasks.undo(run);
        if (other === undefined || rest === undefined) throw new Error("the undos cannot be undone");
        const last = async (undo: Task) => {
          await tasks.batch(undo, ["success"]);
          await tasks.end(undo, "complete");
        };
        await tasks.batch(rest, round % 2 === 0 ? ["skipped"] : ["skipped", "success"]);
        const ends =
          round % 2 === 0
            ? () => [last(rest), last(other)]
            : () => [tasks.end(rest, "complete"), tasks.end(other, "cancel")];
        const prune = () =>
          takePrunable(database, { before: "2100-01-01", unapprovedBefore: "2100-01-01", tenantId });
        await Promise.all([...ends(), tasks.beginRetry(run), prune(), prune()]);
        await tasks.expectStored();
      }
    },
  );

  test("are ended by the deletion of their tenant while they end by themselves", async () => {
    for (let round = 0; round < runs(100); round++) {
      const tenantId = await newTenantId(database);
      const tasks = new Tasks(database, tenantId);
      const undos = [];
      for (let i = 0; i < 3; i++) {
        const undo = await tasks.undo(await tasks.run(1));
        if (undo) undos.push(undo);
      }
      const cancelled = () => cancelTasksOfTenant(database, tenantId);
      const ends = undos.map(async (undo) => {
        await tasks.end(undo, "cancel");
      });
      await Promise.all([cancelled(), ...ends, cancelled()]);
      const ended = await database.query<{ id: string; ends: number; withTenant: boolean }>(
        `SELECT id, epoch AS ends, error = 'The tenant was deleted' AS "withTenant" FROM bulk_tasks
         WHERE tenant_id = $1 AND kind = 'undo' AND ended_at IS NOT NULL ORDER BY id`,
        [tenantId],
      );
      expect(ended).toMatchObject(undos.map(({ id }) => ({ id, ends: 1 })));
      // The deletion writes nothing of what follows: it deletes the rows next.
      for (const [at, undo] of undos.entries()) if (ended[at]?.withTenant) undo.end = null;
      await tasks.expectStored();
    }
  });
});
