import { Causes } from "@lading/schema/internal";
import { advise, type Context, count, counted, json, line, note, paint, plain } from "../context.ts";
import { CliError, type ExitCode, exitCode } from "../exit.ts";
import { isShortened, printRepeated } from "../files/print-causes.ts";
import type { Refused } from "../plan/refusals.ts";
import { type Endpoint, TokenRefused, Unreachable } from "../service/graphql.ts";
import { follow } from "./follow.ts";
import { type HintOptions, hint } from "./hint.ts";
import { type Positions, pointersOnly } from "./positions.ts";
import { actionsOf, type Report, report } from "./report.ts";
import { add, printTally, type Tally } from "./tally.ts";
import { isHeld, isOfUndo, type LogEntry, type Task } from "./task.ts";

/** Maximum number of problems in `--json`; `progress` counts them all. */
const listedProblems = 1_000;

export interface WatchOptions extends HintOptions {
  interactive: boolean;
  json?: boolean;
  /** Prints every operation that did not succeed, not only the first three of each cause. */
  all?: boolean;
  positions?: Positions;
  /** Prints the result instead, and sets the exit code. */
  finish?: (seen: Seen) => Promise<void>;
}

export interface Seen {
  task?: Task;
  /** The number of operations with values that are unknown until they are applied. */
  unknown: number;
  tally: Tally;
  /** Operations that did not succeed, by cause; the examples are numbers of operations. */
  causes: Causes<"failure" | "partial", number>;
  /** True when rows were changed since the plan that the task follows. */
  isOutdated: boolean;
  /** With `--refuse`, what a plan has of what is refused. */
  refused?: Refused;
  /** With `--json`, the first operations that did not succeed. */
  problems: (LogEntry & { place?: string })[];
}

/** Shows a task until it has ended or is held, then the outcome; sets the exit code accordingly. */
export async function watch(
  context: Context,
  endpoint: Endpoint,
  taskId: string,
  options: WatchOptions,
): Promise<void> {
  const causes: Seen["causes"] = new Causes("failure", "partial");
  const seen: Seen = { tally: new Map(), causes, isOutdated: false, problems: [], unknown: 0 };
  const display = report(context, options);
  let named: string | undefined;
  try {
    const onOutage = (reason: string) => display.outage(reason);
    const snapshots = follow(endpoint, taskId, { signal: context.interrupted, onOutage });
    for await (const { task, entries } of snapshots) {
      seen.task = task;
      display.update(task);
      const ahead = heldAhead(task);
      if (ahead !== undefined && ahead !== named)
        display.advice(`To resume that one: ${hint("resume", ahead, options)}`);
      named = ahead;
      for (const entry of entries) await record(seen, { task, entry }, display, options);
    }
  } catch (error) {
    throw interruption(error, context, taskId, options);
  } finally {
    display.end();
    if (!options.json && !options.all) printRepeated(context.stdout, causes);
    await options.positions?.close();
  }
  if (options.finish) await options.finish(seen);
  else printResult(context, seen, options);
}

/** The id of the held task that one waits for. */
const heldAhead = ({ progress }: Task): string | undefined =>
  /^bulk task (\S+), .* is held$/.exec(progress.waitingFor ?? "")?.[1];

async function record(
  seen: Seen,
  { task, entry }: { task: Task; entry: LogEntry },
  display: Report,
  { positions = pointersOnly, json, all }: WatchOptions,
): Promise<void> {
  const { tally, problems, causes } = seen;
  add(tally, entry);
  if (entry.unknownUntilApplied.length > 0) seen.unknown++;
  if (entry.status === "success") return;
  seen.isOutdated ||= entry.errorName === "ChangedSincePlanError";
  const take = causes.count(entry.status, entry.message ?? entry.errorName ?? "no message");
  take?.(entry.index);
  const isListed = json === true && problems.length < listedProblems;
  if (!isListed && !all && take === undefined) return;
  const position = isOfUndo(task) ? undefined : await positions.positionOf(entry);
  display.problem(entry, position);
  if (isListed) problems.push({ ...entry, ...(position !== undefined && { place: position }) });
}

/** The result of a task as JSON. */
export const jsonOf = ({ task, tally, problems }: Seen) => ({
  task,
  intents: Object.fromEntries(tally),
  problems,
});

/** Prints the outcome of a task, and sets the exit code accordingly. */
export function printResult(context: Context, seen: Seen, options: WatchOptions): void {
  const { task, tally, causes } = seen;
  if (task === undefined) return;
  context.exitCode = outcomeOf(task);
  if (options.json) {
    json(context.stdout, jsonOf(seen));
    return;
  }
  if (!context.quiet || context.exitCode !== exitCode.success) printOutcome(context, task, tally);
  if (isHeld(task)) advise(context, `To resume: ${hint("resume", task.id, options)}`);
  if (seen.isOutdated)
    note(context, "Rows were changed since the plan. Plan the file again to see what it would do now.");
  if (tally.size === 0) return;
  const [worst] = causes.list();
  const status = worst === undefined ? "" : ` --status ${worst.kind}`;
  const form = isShortened(causes) && !options.all ? "--all" : "--json";
  const more = `For more: ${hint("logs", task.id, options)}${status} ${form}`;
  if (context.quiet && worst !== undefined) line(context.stderr, more);
  else note(context, more);
}

/** Says that the task continues in the service when watching it ends early. */
function interruption(
  error: unknown,
  { interrupted }: Context,
  taskId: string,
  options: HintOptions,
): unknown {
  const endOfWatch = (reason: string) => [
    `${reason}. Task ${taskId} continues in the service.`,
    `  to follow it: ${hint("status", taskId, options)} --watch`,
    `  to cancel it: ${hint("cancel", taskId, options)}`,
  ];
  if (interrupted.aborted) return new CliError(endOfWatch("interrupted"), exitCode.interrupted);
  const isCutOff = error instanceof Unreachable || error instanceof TokenRefused;
  return isCutOff ? new CliError(endOfWatch(error.message)) : error;
}

/** The exit code of a command that runs a task to its end. */
export function outcomeOf(task: Task): ExitCode {
  const { status, progress } = task;
  if (isHeld(task)) return exitCode.held;
  if (status === "error") return exitCode.taskError;
  return progress.failed + progress.partial > 0 ? exitCode.operationsFailed : exitCode.success;
}

function printOutcome({ stdout }: Context, task: Task, tally: Tally): void {
  printTally(stdout, tally);
  const { processed, skipped, succeeded, partial, failed } = task.progress;
  const counts = `${count(succeeded)} succeeded, ${count(partial)} partial, ${count(failed)} failed`;
  const figures = `${counted(processed - skipped, "operation")}: ${counts}`;
  const good = task.status === "complete" && partial + failed === 0;
  const done = actionsOf(task);
  const state = isHeld(task) ? "held" : task.status;
  const outcome = `${paint(stdout, good ? "green" : "red", state)}, ${figures}`;
  line(stdout, done === "" ? outcome : `${outcome}; ${done}`);
  printInfo({ stdout }, task);
}

export function printInfo({ stdout }: Pick<Context, "stdout">, { info }: Task): void {
  if (info === null) return;
  line(stdout, paint(stdout, "red", `${info.errorName}: ${plain(info.error)}`));
  for (const detail of info.stack?.split("\n") ?? []) line(stdout, plain(detail));
}
