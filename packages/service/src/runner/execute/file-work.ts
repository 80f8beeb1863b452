import { readOperations } from "@lading/schema";
import { commandOf } from "../../commands/registry.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import type { Mark } from "../../storage/unit-of-work/unit-of-work.ts";
import { readValidated } from "../../uploads/stretches.ts";
import type { Batch } from "./batch.ts";
import { operationSource, type PreparedOperation, type ReadOperation } from "./operation-source.ts";
import { prefetchOperations } from "./prefetch.ts";
import { runOperation } from "./run-operation.ts";
import type { TaskExecution } from "./task-execution.ts";
import type { Work } from "./work.ts";

/** Checks an operation executed since a mark; returns its log entry, or that of a failure. */
export type OperationCheck = (batch: Batch, mark: Mark, entry: LogEntry) => Promise<LogEntry>;

/** Opens the operations of a file, each checked once executed. */
export async function openFileWork(
  { services, task, results, images }: TaskExecution,
  operations: AsyncGenerator<readonly ReadOperation[]>,
  checked?: OperationCheck,
): Promise<Work<PreparedOperation>> {
  await results.resume(services.database, task.cursorIndex);
  const source = operationSource(operations, (read) => images.prefetch(read));
  return {
    source,
    refusal: async () => undefined,
    ready: async (operations, signal) => upToSettings(await images.ready(operations, signal)),
    begin: (transaction, operations) => results.prefetch(transaction, operations),
    prefetch: prefetchOperations,
    async execute(batch, operation) {
      results.begin(operation);
      const mark = batch.unit.mark();
      const executed = await runOperation(batch, operation);
      const entry = checked && executed ? await checked(batch, mark, executed) : executed;
      if (entry !== undefined) results.stage(entry);
      return entry;
    },
    check: async () => {},
    factsOf: ({ index, ref, intent, text, position }) => ({
      index,
      ref,
      intent,
      input: text,
      position,
    }),
    logged(operation, entry) {
      results.begin(operation);
      results.stage(entry);
    },
    finish: () => images.sweep(),
    async close() {
      await Promise.all([source.close(), images.close()]);
    },
  };
}

/** Reads a task's operations starting at its cursor. */
export function operationsOf({ services, task }: TaskExecution): AsyncGenerator<readonly ReadOperation[]> {
  const { cursorIndex: index, cursorOffset: offset } = task;
  const from = index === 0 ? undefined : { offset, index };
  return readOperations(readValidated(services.store, task, offset), from);
}

/** The operations up to the first that changes settings, since a batch reads settings once at its start. */
function upToSettings(operations: readonly PreparedOperation[]): readonly PreparedOperation[] {
  const at = operations.findIndex(({ intent }) => commandOf(intent).changesSettings);
  return at === -1 ? operations : operations.slice(0, at + 1);
}
