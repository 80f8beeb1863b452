import { type Context, count, line, paint, plain, type Sink } from "../context.ts";
import { hasEnded, type LogEntry, type Task } from "./task.ts";

/** Shows people how a task is getting on. */
export interface Report {
  update(task: Task): void;
  /** An operation that did not succeed. */
  problem(entry: LogEntry): void;
  end(): void;
}

/** The report that fits where output goes: a bar on a terminal, lines elsewhere, nothing beside JSON. */
export function report(context: Context, flags: { interactive: boolean; json?: boolean }): Report {
  if (flags.json) return { update() {}, problem() {}, end() {} };
  return flags.interactive && context.stdout.isTTY ? bar(context.stdout) : lines(context.stdout);
}

function lines(sink: Sink): Report {
  let state = "";
  let tenths = 0;
  return {
    update(task) {
      if (hasEnded(task)) return; // the outcome says it all
      const now = stateOf(task);
      if (now !== state) line(sink, now);
      state = now;
      const { total, processed } = task.progress;
      const reached = total ? Math.floor((processed / total) * 10) : 0;
      if (reached > tenths) line(sink, figures(task));
      tenths = reached;
    },
    problem: (entry) => line(sink, problemText(sink, entry)),
    end() {},
  };
}

const clearLine = "\r\u001b[2K";

function bar(sink: Sink): Report {
  let shown = "";
  const write = (text: string) => sink.write(clearLine + text + shown);
  return {
    update(task) {
      shown = barText(task).slice(0, (sink.columns ?? 80) - 1);
      write("");
    },
    problem: (entry) => write(`${problemText(sink, entry)}\n`),
    end() {
      shown = "";
      write("");
    },
  };
}

const barWidth = 24;

function barText(task: Task): string {
  const { total, processed } = task.progress;
  if (task.status !== "running" || total === null) return stateOf(task);
  const full = total === 0 ? barWidth : Math.floor((processed / total) * barWidth);
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${figures(task)}`;
}

function stateOf({ status, progress }: Task): string {
  return progress.waitingFor === null ? status : `${status}, waiting for ${progress.waitingFor}`;
}

function figures({ progress: { total, processed, partial, failed } }: Task): string {
  const troubles = [partial && `${count(partial)} partial`, failed && `${count(failed)} failed`].filter(
    Boolean,
  );
  return [`${count(processed)} of ${count(total ?? 0)} operations`, ...troubles].join(", ");
}

function problemText(sink: Sink, { index, intent, ref, status, statusCode, message }: LogEntry): string {
  const style = status === "partial" ? "yellow" : "red";
  const place = [`operation ${index}`, plain(intent), ...(ref === null ? [] : [`_ref ${plain(ref)}`])].join(
    ", ",
  );
  return `${paint(sink, style, status)} ${place}: ${plain(message ?? "no message")} (${statusCode})`;
}
