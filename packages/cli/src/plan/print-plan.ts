import { actions } from "@lading/schema/internal";
import { advise, type Context, json, line, note, paint } from "../context.ts";
import { exitCode } from "../exit.ts";
import type { Endpoint } from "../service/graphql.ts";
import { viewerOf } from "../service/tokens.ts";
import { type HintOptions, hint } from "../task/hint.ts";
import { isOfUndo, type Task } from "../task/task.ts";
import { printInfo, type Seen } from "../task/watch.ts";
import { changedOperations } from "./changed-operations.ts";
import { planMarkdown } from "./markdown.ts";
import { type Refusal, refusalText, refusedIn } from "./refusals.ts";
import { planSummary, printChanges, printDestructive } from "./report.ts";

export interface PlanFlags extends HintOptions {
  /** The file, or the task whose undo is planned. */
  subject: string;
  /** The number of operations whose changes are shown. Default: 20, or in markdown those that fit. */
  first?: number;
  json?: boolean;
  markdown?: boolean;
  /** True: changes set their own exit code. */
  exitCode?: boolean;
  refuse?: readonly Refusal[];
  /** Returns the command that carries out the plan with an id. */
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
  const changed = changedBy(task);
  const first = changed > 0 ? (flags.first ?? (flags.markdown ? changed : 20)) : 0;
  const changes = changedOperations(endpoint, task.id, first);
  context.exitCode = codeOf(status, progress.failed + progress.partial, changed, flags);
  const refused = refusedIn(seen, flags.refuse ?? []);
  if (refused) context.exitCode = exitCode.refused;
  if (flags.json) {
    const all = await Array.fromAsync(changes);
    json(context.stdout, { task, unknown, changes: all, problems, ...(refused && { refused }) });
    return;
  }
  const more = `${hint("logs", task.id, flags)} --json`;
  const mayRun = status === "complete" && !refused;
  const next = mayRun ? { lead: await leadOf(endpoint, task), command: flags.next(task.id) } : undefined;
  if (flags.markdown) {
    context.stdout.write(await planMarkdown({ ...flags, seen, refused, changes, changed, next, more }));
    return;
  }
  printDestructive(context.stdout, task);
  for await (const operation of changes) printChanges(context.stdout, operation);
  line(context.stdout, planSummary(task, unknown));
  printInfo(context, task);
  if (refused) line(context.stdout, paint(context.stdout, "red", refusalText(refused)));
  if (next === undefined) return advise(context, `For more: ${more}`);
  note(context, `For more: ${more}`);
  advise(context, `${next.lead}: ${next.command}`);
}

/** Returns the words before the command that carries out a plan, also if the service is unreachable. */
async function leadOf(endpoint: Endpoint, task: Task): Promise<string> {
  if (isOfUndo(task)) return "To undo it";
  const role = await viewerOf(endpoint).then(
    ({ accessToken }) => accessToken.role,
    () => undefined,
  );
  return role === undefined || role === "admin" ? "To run it" : "An admin can run it";
}

/** The number of operations that would change something. */
const changedBy = ({ progress }: Task): number =>
  actions.reduce((sum, action) => sum + (action === "unchanged" ? 0 : progress[action]), 0);

function codeOf(status: string, failures: number, changes: number, { exitCode: wanted }: PlanFlags) {
  if (status === "error") return exitCode.taskError;
  if (failures > 0) return exitCode.operationsFailed;
  return wanted && changes > 0 ? exitCode.changes : exitCode.success;
}
