import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTenantId } from "../../../../test/support/claims.ts";
import { bothEngines, sharedPostgres } from "../../../../test/support/engines.ts";
import { runs } from "../../../../test/support/extent.ts";
import { advanceCursor } from "../../src/storage/bulk-tasks/advance-cursor.ts";
import { cancelTasksOfTenant, cancelUnended } from "../../src/storage/bulk-tasks/cancel.ts";
import { completeTask } from "../../src/storage/bulk-tasks/complete.ts";
import { insertRetry } from "../../src/storage/bulk-tasks/create.ts";
import { failTask } from "../../src/storage/bulk-tasks/fail.ts";
import { takePrunable } from "../../src/storage/bulk-tasks/prune.ts";
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
  const by = inEffect.find(({ end }) => end === null) ?? effective.findLast(isWhole) ?? effective.at(-1);
  const undone = effective.length === 0 ? "none" : inEffect.some(isWhole) ? "whole" : "part";
  return { undone, undoneBy: by?.id ?? null };
}

type Outcome = "success" | "failure" | "skipped";

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

  constructor(database: Database, tenantId: string) {
    this.#database = database;
    this.#tenantId = tenantId;
  }

  /** A run that has executed `total` operations to its end. */
  async run(total: number): Promise<Task> {
    const id = newId();
    await this.#database.execute(
      `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, validated_at, total, keeps_before)
       VALUES ($1, $2, 'massOperation', 'pending', 'k', 'e', now(), $3, true)`,
      [this.#tenantId, id, total],
    );
    const run = await this.#begin({ id, kind: "run", of: null, total });
    await this.batch(
      run,
      Array.from({ length: total }, () => "success"),
    );
    await this.end(run, "complete");
    return run;
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
    const isOpen = this.all.some((task) => task.of === of && task.end === null);
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

  async beginRetry(of: Task): Promise<void> {
    const limits = { maxFailures: null, holdAfter: null, holdOnFailures: null, idempotencyKey: null };
    const origin = { ofTask: of.id, createdBy: "operator" };
    const row = { tenantId: this.#tenantId, id: newId(), ...origin, autoStart: true, ...limits };
    const retry = { ...row, include: ["FAILED"] as const, toExecute: 1 };
    await untilCommitted(this.#database, (transaction) => insertRetry(transaction, retry, [of.id]));
    await this.#begin({ id: row.id, kind: "retry", of, total: of.total });
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
  }

  async end(task: Task, how: "complete" | "error" | "cancel"): Promise<void> {
    const claim = await this.#claim(task);
    if (how === "complete") await completeTask(this.#database, claim);
    else if (how === "error") await failTask(this.#database, claim, { error: "e", errorName: "E" });
    else
      await cancelUnended(this.#database, {
        tenantId: this.#tenantId,
        id: task.id,
        by: null,
        entry: undefined,
      });
    task.end = how === "complete" && task.executed === task.total ? "complete" : "error";
  }

  async expectStored(): Promise<void> {
    const stored = await this.#database.query<{ id: string }>(
      'SELECT id, undone, undone_by AS "undoneBy" FROM bulk_tasks WHERE tenant_id = $1 ORDER BY id',
      [this.#tenantId],
    );
    expect(stored).toEqual(this.all.map((task) => ({ id: task.id, ...undoneOf(task, this.all) })));
  }
}

describe.each(bothEngines)("what is undone of a task, on $name", ({ open }) => {
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
      { numRuns: runs(300) },
    );
  });
});

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
        const prune = () => takePrunable(database, "2100-01-01", tenantId);
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
      await tasks.expectStored();
    }
  });
});
