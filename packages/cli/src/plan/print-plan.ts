import { advise, type Context, json, line, note } from "../context.ts";
import { exitCode } from "../exit.ts";
import type { Endpoint } from "../service/graphql.ts";
import { type HintOptions, hint } from "../task/hint.ts";
import { printInfo, type Seen } from "../task/watch.ts";
import { changedOperations } from "./changed-operations.ts";
import { type Refusal, refusalText, refusedIn } from "./refusals.ts";
import { planSummary, printChanges, printDestructive } from "./report.ts";

export interface PlanFlags extends HintOptions {
  /** The number of operations whose changes are shown. */
  first: number;
  json?: boolean;
  /** True: changes set their own exit code. */
  exitCode?: boolean;
  refuse?: readonly Refusal[];
  /** States the command that carries out the plan with an id. */
  next: (id: string) => string;
}

/** Prints a plan, removals first, and sets the exit code. */
export async function printPlan(
  context: Context,
  endpoint: Endpoint,
  seen: Seen,
  flags: PlanFlags,
): Promise<void> {
  const { task, unknown, problems } = seen;
  if (task === undefined) return;
  const { progress, status } = task;
  const changes =
    progress.processed - progress.failed - progress.unchanged > 0
      ? await changedOperations(endpoint, task.id, flags.first)
      : [];
  context.exitCode = codeOf(status, progress.failed + progress.partial, changes.length, flags);
  const refused = refusedIn(seen, flags.refuse ?? []);
  if (refused) context.exitCode = exitCode.refused;
  if (flags.json)
    return json(context.stdout, { task, unknown, changes, problems, ...(refused && { refused }) });
  printDestructive(context.stdout, task);
  for (const operation of changes) printChanges(context.stdout, operation);
  line(context.stdout, planSummary(task, unknown));
  printInfo(context, task);
  const more = `For more: ${hint("logs", task.id, flags)} --json`;
  if (refused) line(context.stdout, refusalText(context.stdout, refused));
  if (status !== "complete" || refused) return advise(context, more);
  note(context, more);
  advise(context, flags.next(task.id));
}

function codeOf(status: string, failures: number, changes: number, { exitCode: wanted }: PlanFlags) {
  if (status === "error") return exitCode.taskError;
  if (failures > 0) return exitCode.operationsFailed;
  return wanted && changes > 0 ? exitCode.changes : exitCode.success;
}
