import type { RowKey } from "../../commands/conditional.ts";
import { type ExecutedTask, executedTasks, mayHaveRunAt } from "../../storage/bulk-tasks/executed-at.ts";
import type { Queries } from "../../storage/database.ts";
import type { LogKey } from "../../storage/task-details/operation-logs.ts";
import {
  type ExecutedLog,
  findFirstWrite,
  nameOfWrite,
  type WritesBefore,
  writesAround,
} from "../../tasks/log/last-change.ts";

interface Execution {
  readonly task: LogKey;
  /** In a retry: the tasks before it. */
  readonly earlier: readonly string[];
  /** Index of the next operation, as committed. */
  readonly cursor: number;
}

/** Maximum number of a task's writes of one row that are followed back; beyond it the last one counts as another's. */
const mostFollowed = 10_000;

/** Rows that are remembered: those written last. */
const mostRemembered = 20_000;

/** Stretches of logs that are kept: a file that writes many rows in several passes reads on in each. */
const mostStretches = 16;

/** A time at which the task had written a row, and one before all that it wrote from there on. */
interface Followed {
  readonly at: string;
  readonly before: string | null;
}

/** Writes of a task around a time. */
interface Stretch {
  readonly taskId: string;
  readonly writes: WritesBefore;
}

/**
 * Tells what a task, and in a retry the tasks before it, wrote in committed batches from what others wrote, by the logs
 * and before-images. Keeps those around the last searches, since a file often writes the same rows in the same order.
 */
export class OwnWrites {
  readonly #execution: Execution;
  #tasks: readonly ExecutedTask[] | undefined;
  /** Those used last come first. */
  readonly #stretches: Stretch[] = [];
  readonly #followed = new Map<string, Followed>();

  constructor(execution: Execution) {
    this.#execution = execution;
  }

  /**
   * The newest `updatedAt` of a row that others have given it, from the one of a time on; null if there is none, or a
   * time not after `since`.
   */
  async foreign(queries: Queries, row: RowKey, writtenAt: string, since: string): Promise<string | null> {
    const name = JSON.stringify([row.table, row.key]);
    const known = this.#followed.get(name);
    let time: string | null = writtenAt;
    for (let steps = 0; time !== null && time > since && steps < mostFollowed; steps++) {
      const earlier: string | null | undefined =
        time === known?.at ? known.before : await this.#before(queries, row, time);
      if (earlier === undefined || (earlier !== null && earlier >= time)) break;
      time = earlier;
    }
    if (time !== writtenAt) {
      this.#followed.delete(name);
      this.#followed.set(name, { at: writtenAt, before: time });
      const [oldest = name] = this.#followed.keys();
      if (this.#followed.size > mostRemembered) this.#followed.delete(oldest);
    }
    return time;
  }

  /** A row's `updatedAt` before the first write at a time; null: it was created. Undefined if no task wrote it then. */
  async #before(queries: Queries, row: RowKey, at: string): Promise<string | null | undefined> {
    const name = nameOfWrite(row, at);
    const { task, earlier, cursor } = this.#execution;
    const { tenantId } = task;
    this.#tasks ??= await executedTasks(queries, tenantId, [task.taskId, ...earlier]);
    for (const executed of this.#tasks) {
      const { id: taskId, processed } = executed;
      if (!mayHaveRunAt(executed, at)) continue;
      const log = { tenantId, taskId, processed: taskId === task.taskId ? cursor : processed };
      const around = await this.#readAround(queries, log, at);
      const found = around.before.get(name);
      if (found !== undefined) return found;
      const first = around.covers(at) ? undefined : await findFirstWrite(queries, log, row, at);
      if (first !== undefined) return first;
    }
    return undefined;
  }

  async #readAround(queries: Queries, log: ExecutedLog, at: string): Promise<WritesBefore> {
    const known = this.#stretches.findIndex(
      ({ taskId, writes }) => taskId === log.taskId && writes.covers(at),
    );
    const [stretch = { taskId: log.taskId, writes: await writesAround(queries, log, at) }] =
      known === -1 ? [] : this.#stretches.splice(known, 1);
    this.#stretches.unshift(stretch);
    this.#stretches.length = Math.min(this.#stretches.length, mostStretches);
    return stretch.writes;
  }
}
