import { type Context, counted, json, line, paint, plain } from "../context.ts";
import { CliError, type ExitCode, exitCode } from "../exit.ts";
import { type Endpoint, Unreachable } from "../service/graphql.ts";
import { follow } from "./follow.ts";
import { report } from "./report.ts";
import { add, printTally, type Tally } from "./tally.ts";
import type { LogEntry, Task } from "./task.ts";

/** The most problems that `--json` lists; `progress` counts them all. */
const listedProblems = 1_000;

export interface WatchOptions {
  tenant: string;
  interactive: boolean;
  json?: boolean;
}

/** Shows a task until it has ended, then the outcome; the exit code says which it is. */
export async function watch(
  context: Context,
  endpoint: Endpoint,
  taskId: string,
  options: WatchOptions,
): Promise<void> {
  const tally: Tally = new Map();
  const problems: LogEntry[] = [];
  const shown = report(context, options);
  let last: Task | undefined;
  try {
    for await (const { task, entries } of follow(endpoint, taskId, { signal: context.interrupted })) {
      shown.update(task);
      last = task;
      for (const entry of entries) {
        add(tally, entry);
        if (entry.status === "success") continue;
        shown.problem(entry);
        if (problems.length < listedProblems) problems.push(entry);
      }
    }
  } catch (error) {
    throw leaving(error, context, taskId, options.tenant);
  } finally {
    shown.end();
  }
  if (last === undefined) return;
  context.exitCode = outcome(last);
  if (options.json) json(context.stdout, { task: last, intents: Object.fromEntries(tally), problems });
  else printOutcome(context, last, tally);
}

/** Whoever stops looking is told that the task does not stop with it. */
function leaving(error: unknown, { interrupted }: Context, taskId: string, tenant: string): unknown {
  const goesOn = `Task ${taskId} goes on in the service; to see it: lading mass-operation follow ${tenant} ${taskId}`;
  if (interrupted.aborted) return new CliError(`interrupted. ${goesOn}`, exitCode.interrupted);
  return error instanceof Unreachable ? new CliError(`${error.message}. ${goesOn}`) : error;
}

function outcome({ status, progress }: Task): ExitCode {
  if (status === "error") return exitCode.taskError;
  return progress.failed + progress.partial > 0 ? exitCode.operationsFailed : exitCode.success;
}

function printOutcome({ stdout }: Context, { status, info, progress }: Task, tally: Tally): void {
  printTally(stdout, tally);
  const { processed, succeeded, partial, failed } = progress;
  const figures = `${counted(processed, "operation")}: ${succeeded} succeeded, ${partial} partial, ${failed} failed`;
  const good = status === "complete" && partial + failed === 0;
  line(stdout, `${paint(stdout, good ? "green" : "red", status)}, ${figures}`);
  if (info === null) return;
  line(stdout, paint(stdout, "red", `${info.errorName}: ${plain(info.error)}`));
  for (const detail of info.stack?.split("\n") ?? []) line(stdout, plain(detail));
}
