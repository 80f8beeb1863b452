import { readOperations } from "@lading/schema";
import { retriedOperations } from "../../tasks/retries/retried-operations.ts";
import { readValidated } from "../../uploads/stretches.ts";
import { followPlan } from "../plan/follow-plan.ts";
import { operationSource, type PreparedOperation, type ReadOperation } from "./operation-source.ts";
import { prefetchOperations } from "./prefetch.ts";
import { runOperation } from "./run-operation.ts";
import type { TaskExecution } from "./task-execution.ts";
import { upToSettings } from "./up-to-settings.ts";
import type { Work } from "./work.ts";

/** Opens the operations of a task's file from the task's cursor on: of a retry, those that it executes again. */
export async function openFileWork(execution: TaskExecution): Promise<Work<PreparedOperation>> {
  const { services, task, results, images } = execution;
  await execution.inherit();
  await results.resume(services.database, task.cursorIndex);
  const kept = followPlan(task);
  const source = operationSource(operationsOf(execution), (operations) => images.prefetch(operations));
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
      const entry = kept && executed ? await kept(batch, mark, executed) : executed;
      if (entry !== undefined) results.stage(entry);
      return entry;
    },
    check: async () => {},
    factsOf: ({ index, ref, intent, text, place }) => ({ index, ref, intent, input: text, place }),
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

function operationsOf({ services, task, line }: TaskExecution): AsyncGenerator<readonly ReadOperation[]> {
  const [retry, ...earlier] = line;
  if (task.kind === "retry")
    return retriedOperations(services, task, { include: retry?.include ?? [], earlier });
  const { cursorIndex: index, cursorOffset: offset } = task;
  const from = index === 0 ? undefined : { offset, index };
  return readOperations(readValidated(services.store, task, offset), from);
}
