import { actions } from "@lading/schema/internal";
import { type Context, control, count, line, oneLine, paint, plain, type Sink } from "../context.ts";
import { duration, type Pace, pace } from "./pace.ts";
import { hasEnded, isHeld, type LogEntry, type Task } from "./task.ts";

export interface Report {
  update(task: Task): void;
  /** Shows that the service is unreachable, and that the command retries; the next update ends that. */
  outage(reason: string): void;
  /** Shows what a person may do meanwhile. */
  advice(text: string): void;
  /** Shows an operation that did not succeed, and its position in the file, if the task has one. */
  problem(entry: LogEntry, position: string | undefined): void;
  end(): void;
}

/**
 * Chooses the report by the output: a bar on a terminal, lines elsewhere, nothing with JSON. With `--quiet` only
 * operations that did not succeed are shown. Advice is always shown, since the task waits for it.
 */
export function report(context: Context, flags: { interactive: boolean; json?: boolean }): Report {
  const quiet = {
    ...silent,
    advice: (text: string) => line(context.stderr, `A held task is ahead. ${text}`),
  };
  if (flags.json) return quiet;
  if (context.quiet)
    return { ...quiet, problem: (entry, position) => problemLine(context.stdout, entry, position) };
  return flags.interactive && context.stdout.isTTY ? bar(context.stdout) : lines(context.stdout);
}

const silent: Report = { update() {}, outage() {}, advice() {}, problem() {}, end() {} };

const problemLine = (sink: Sink, entry: LogEntry, position: string | undefined) =>
  line(sink, entryText(sink, entry, position));

const outageText = (reason: string) => `Service unreachable; retrying: ${plain(reason)}`;

function lines(sink: Sink): Report {
  let state = "";
  let tenths = 0;
  let awaySince: number | undefined;
  const speed = pace();
  return {
    update(task) {
      speed.note(task);
      if (awaySince !== undefined)
        line(sink, `Service reachable again after ${duration((performance.now() - awaySince) / 1_000)}.`);
      awaySince = undefined;
      if (hasEnded(task)) return; // the outcome says it all
      const now = stateOf(task);
      if (now !== state) line(sink, now);
      state = now;
      const { total, processed } = task.progress;
      const reached = total ? Math.floor((processed / total) * 10) : 0;
      if (reached > tenths) line(sink, figures(task, speed));
      tenths = reached;
    },
    outage(reason) {
      awaySince = performance.now();
      speed.forget();
      line(sink, outageText(reason));
    },
    advice: (text) => line(sink, text),
    problem: (entry, position) => problemLine(sink, entry, position),
    end() {},
  };
}

const clearLine = control("\r\u001b[2K");

function bar(sink: Sink): Report {
  let barShown = "";
  const speed = pace();
  const write = (text: string) => sink.write(clearLine + text + oneLine(barShown));
  return {
    update(task) {
      speed.note(task);
      barShown = barText(task, speed).slice(0, (sink.columns ?? 80) - 1);
      write("");
    },
    outage(reason) {
      speed.forget();
      barShown = outageText(reason).slice(0, (sink.columns ?? 80) - 1);
      write("");
    },
    advice: (text) => write(`${oneLine(text)}\n`),
    problem: (entry, position) => write(`${oneLine(entryText(sink, entry, position))}\n`),
    end() {
      barShown = "";
      write("");
    },
  };
}

const barWidth = 24;

function barText(task: Task, speed: Pace): string {
  const { total, processed } = task.progress;
  if (task.status !== "running" || total === null) return stateOf(task);
  const full = total === 0 ? barWidth : Math.floor((processed / total) * barWidth);
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${figures(task, speed)}`;
}

export function stateOf(task: Task): string {
  const { status, progress } = task;
  const [, because] = /^a call of resumeBulkTask: (.*)/.exec(progress.waitingFor ?? "") ?? [];
  if (isHeld(task) && because !== undefined) return `held: ${because}`;
  return progress.waitingFor === null ? status : `${status}, waiting for ${progress.waitingFor}`;
}

/** `60 created, 40 unchanged`; empty when nothing was done. */
export const actionsOf = ({ progress }: Task): string =>
  actions
    .filter((action) => progress[action])
    .map((action) => `${count(progress[action])} ${action}`)
    .join(", ");

/** `100 of 200 operations, 60 created, 39 unchanged, 1 failed, 50/s, 2 s left` */
export function figures(task: Task, speed?: Pace): string {
  const { total, processed, partial, failed, skipped, repaired } = task.progress;
  const parts = [
    `${count(processed)} of ${total === null ? "?" : count(total)} operations`,
    actionsOf(task),
    partial && `${count(partial)} partial`,
    failed && `${count(failed)} failed`,
    repaired && `${count(repaired)} repaired`,
    skipped && `${count(skipped)} skipped`,
    !isHeld(task) && speed?.text(task),
  ];
  return parts.filter(Boolean).join(", ");
}

const styles = { success: "green", partial: "yellow", failure: "red" } as const;

/**
 * Describes a log entry on one line: `failure operation 7, product/upsert, _ref shoe: no such shape (404
 * ShapeNotFoundError) at shop.json:12:9 /operations/7/shapeIdentifier`.
 */
export function entryText(sink: Sink, entry: LogEntry, position?: string): string {
  const { index, intent, ref, status, statusCode, errorName, action, message } = entry;
  const operation = [`operation ${index}`, plain(intent), ...(ref === null ? [] : [`_ref ${plain(ref)}`])];
  const what = plain(message ?? action ?? "no message");
  const where = position === undefined ? "" : ` at ${plain(position)}`;
  const outcome = errorName === null ? statusCode : `${statusCode} ${plain(errorName)}`;
  return `${paint(sink, styles[status], status)} ${operation.join(", ")}: ${what} (${outcome})${where}`;
}
