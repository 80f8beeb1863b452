import type { ReferenceValue } from "@lading/schema";
import type { ClaimedTask } from "../../storage/bulk-tasks/claimed-task.ts";
import type { Queries } from "../../storage/database.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import { lifetimesBetween, resultsReadFrom } from "../../storage/task-details/references.ts";

/** Number of operations for which the lifetimes of results are read ahead. */
const windowSize = 10_000;

type TaskOfResults = Pick<ClaimedTask, "tenantId" | "taskId" | "names">;

interface Result {
  value: ReferenceValue;
  lastReader: number;
}

/**
 * The results that later operations of a task still refer to, by `_ref`. Validation determined which these are, so that
 * no others are held in memory. The results of a batch count only once it is committed.
 */
export class Results {
  readonly #claim: TaskOfResults;
  readonly #committed = new Map<string, Result>();
  readonly #staged = new Map<string, Result>();
  #lifetimes = new Map<number, number>();
  #windowEnd = 0;
  /** Index of the operation being executed. */
  #reader = 0;

  constructor(claim: TaskOfResults) {
    this.#claim = claim;
  }

  /** Restores from the operation log the results before the cursor that operations after it refer to. */
  async resume(queries: Queries, cursor: number): Promise<void> {
    this.#windowEnd = cursor;
    if (cursor === 0) return;
    const rows = await resultsReadFrom(queries, this.#claim, cursor);
    for (const { ref, lastReader, ...entry } of rows)
      this.#committed.set(ref, { value: referenceValue(entry), lastReader });
  }

  /** Loads the lifetimes of the results of operations before `end`, unless they are loaded. */
  async prefetchLifetimes(queries: Queries, end: number): Promise<void> {
    if (end <= this.#windowEnd) return;
    const rows = await lifetimesBetween(queries, this.#claim, this.#windowEnd, end + windowSize);
    for (const { index, lastReader } of rows) this.#lifetimes.set(index, lastReader);
    this.#windowEnd = end + windowSize;
  }

  /** The operation with this number is executed next; `names` returns the names before it. */
  begin(index: number): void {
    this.#reader = index;
  }

  /** Offers the result of an operation; it is kept when a later one refers to it. */
  stage(entry: Pick<LogEntry, "index" | "ref" | "status" | "output">): void {
    const lastReader = this.#lifetimes.get(entry.index);
    if (entry.ref !== null && lastReader !== undefined)
      this.#staged.set(entry.ref, { value: referenceValue(entry), lastReader });
  }

  /** The batch was committed: keeps the results it staged, and forgets those that nothing after the cursor reads. */
  commit(cursor: number): void {
    for (const [ref, result] of this.#staged) this.#committed.set(ref, result);
    this.#staged.clear();
    for (const [ref, { lastReader }] of this.#committed) if (lastReader < cursor) this.#committed.delete(ref);
    for (const index of this.#lifetimes.keys()) if (index < cursor) this.#lifetimes.delete(index);
  }

  /** The batch was rolled back. */
  discard(): void {
    this.#staged.clear();
  }

  lookup(name: string): ReferenceValue | undefined {
    return (this.#staged.get(name) ?? this.#committed.get(name))?.value;
  }

  /** See `RenderScope`; undefined unless a template of the file reads a name that does not exist. */
  names(): string[] | undefined {
    const before = this.#claim.names?.filter(({ index }) => index < this.#reader);
    return before?.map(({ name }) => name);
  }
}

function referenceValue({
  index,
  status,
  output,
}: Pick<LogEntry, "index" | "status" | "output">): ReferenceValue {
  return status === "failure" ? { index, status } : { index, status, output };
}
