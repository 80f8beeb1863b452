import type { ReferenceLifetime, ReferenceValue } from "@lading/schema/internal";
import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import type { Queries } from "../../storage/database.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import {
  lifetimesBetween,
  lifetimesOf,
  type ReferencedResult,
  type RetryChain,
  resultsReadFrom,
} from "../../storage/task-details/references.ts";
import type { PreparedOperation } from "./operation-source.ts";

/** Number of operations whose result lifetimes are read ahead. */
const windowSize = 10_000;

type TaskOfResults = Pick<ClaimedTask, "tenantId" | "taskId" | "names">;

interface Result {
  value: ReferenceValue;
  lastReader: number;
}

/**
 * The results that later operations of a task still refer to, by `_ref`. Validation determined which these are, so no
 * others are kept in memory. A batch's results count only once it is committed.
 */
export class Results {
  readonly #claim: TaskOfResults;
  readonly #chain: RetryChain;
  readonly #committed = new Map<string, Result>();
  readonly #staged = new Map<string, Result>();
  #lifetimes = new Map<number, number>();
  #windowEnd = 0;
  /** Index of the operation being executed. */
  #reader = 0;

  /** `earlier`: the tasks, latest first, whose results count for operations that this task does not execute. */
  constructor(claim: TaskOfResults, earlier: readonly string[] = []) {
    this.#claim = claim;
    this.#chain = { tenantId: claim.tenantId, taskIds: [claim.taskId, ...earlier] };
  }

  /** Restores the results before the cursor that later operations refer to from the log. */
  async resume(queries: Queries, cursor: number): Promise<void> {
    this.#windowEnd = cursor;
    if (cursor === 0) return;
    for (const row of await resultsReadFrom(queries, this.#chain, cursor)) keep(this.#committed, row);
  }

  /** Loads the result lifetimes of the next operations, unless loaded. */
  async prefetch(queries: Queries, operations: readonly Pick<PreparedOperation, "index">[]): Promise<void> {
    if (this.#chain.taskIds.length > 1) {
      const indexes = operations.map(({ index }) => index);
      return this.#note(await lifetimesOf(queries, this.#chain, indexes));
    }
    const end = (operations.at(-1)?.index ?? -1) + 1;
    if (end <= this.#windowEnd) return;
    this.#note(await lifetimesBetween(queries, this.#chain, this.#windowEnd, end + windowSize));
    this.#windowEnd = end + windowSize;
  }

  #note(lifetimes: readonly ReferenceLifetime[]): void {
    for (const { index, lastReader } of lifetimes) this.#lifetimes.set(index, lastReader);
  }

  /** Begins an operation: the results it inherits count from now on. */
  begin({ index, inherited }: Pick<PreparedOperation, "index" | "inherited">): void {
    this.#reader = index;
    for (const result of inherited) keep(this.#staged, result);
  }

  /** Offers an operation's result; kept if a later one refers to it. */
  stage(entry: Pick<LogEntry, "index" | "ref" | "status" | "output">): void {
    const lastReader = this.#lifetimes.get(entry.index);
    if (entry.ref !== null && lastReader !== undefined)
      this.#staged.set(entry.ref, { value: referenceValue(entry), lastReader });
  }

  /** Keeps the committed batch's results, and drops those that nothing after the cursor reads. */
  commit(cursor: number): void {
    for (const [ref, result] of this.#staged) this.#committed.set(ref, result);
    this.#staged.clear();
    for (const [ref, { lastReader }] of this.#committed) if (lastReader < cursor) this.#committed.delete(ref);
    for (const index of this.#lifetimes.keys()) if (index < cursor) this.#lifetimes.delete(index);
  }

  discard(): void {
    this.#staged.clear();
  }

  lookup(name: string): ReferenceValue | undefined {
    return (this.#staged.get(name) ?? this.#committed.get(name))?.value;
  }

  /** See `RenderScope`; undefined unless a template of the file reads an unknown name. */
  names(): string[] | undefined {
    const before = this.#claim.names?.filter(({ index }) => index < this.#reader);
    return before?.map(({ name }) => name);
  }

  /** See `RenderScope`. */
  later(name: string): { index: number; isThis: boolean } | undefined {
    const found = this.#claim.names?.find((other) => other.name === name && other.index >= this.#reader);
    return found && { index: found.index, isThis: found.index === this.#reader };
  }
}

function keep(results: Map<string, Result>, { ref, lastReader, ...entry }: ReferencedResult): void {
  results.set(ref, { value: referenceValue(entry), lastReader });
}

function referenceValue({
  index,
  status,
  output,
}: Pick<LogEntry, "index" | "status" | "output">): ReferenceValue {
  return status === "failure" ? { index, status } : { index, status, output };
}
