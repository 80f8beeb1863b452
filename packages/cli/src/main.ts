import { once } from "node:events";
import { Writable } from "node:stream";
import { CommanderError } from "commander";
import { type Context, json, line, paint, plain, printable, type Sink } from "./context.ts";
import { CliError, type ExitCode, exitCode, isAbort } from "./exit.ts";
import { program } from "./program.ts";
import { withoutHelpCommand } from "./usage/command-words.ts";

// A reader such as `head` may close the pipe early, or a terminal be closed: the remaining output is dropped, and the
// exit code still tells the outcome of the command.
let hasReader = true;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  hasReader &&= error.code !== "EPIPE" && error.code !== "EIO";
  if (!hasReader) return;
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
  process.exit(exitCode.usage);
});
// Where messages cannot be written, nothing can be said; the exit code tells the outcome.
process.stderr.on("error", () => {});

/**
 * Runs the `lading` command.
 *
 * @example `process.exitCode = await main(["mass-operation", "validate", "shop.json"])`
 * @param args the words after `lading` on the command line
 * @returns the exit code (see exit.ts): errors are printed, defects with their stack
 */
export function main(args: string[]): Promise<number>;
/**
 * @internal
 * @param io replaces the streams and the signal of the process, for tests
 */
export function main(args: string[], io?: Partial<Context>): Promise<number>;
export async function main(args: string[], io: Partial<Context> = {}): Promise<number> {
  const words = withoutHelpCommand(args);
  const context: Context = {
    stdin: process.stdin,
    interrupted: io.interrupted ?? onInterrupt(),
    exitCode: exitCode.success,
    quiet: false,
    ...io,
    stdout: guarded(io.stdout ?? process.stdout),
    stderr: guarded(io.stderr ?? process.stderr),
  };
  try {
    await (await program(context, words)).parseAsync(words, { from: "user" });
    return context.exitCode;
  } catch (thrown) {
    const error = isAbort(thrown, context.interrupted)
      ? new CliError("interrupted", exitCode.interrupted)
      : thrown;
    if (error instanceof CommanderError) await printWrongUse(context, error, words, args);
    else if (error instanceof CliError) printError(context, error, args);
    else return printDefect(context, error, args);
    return error.exitCode;
  }
}

/** Prints an unexpected error. Its message may contain untrusted text of a service. */
function printDefect(context: Context, error: unknown, args: string[]): ExitCode {
  const what = "this is a bug in lading, or the answer is not from a Lading service";
  const lines = [what, ...stackOf(error)];
  printError(context, { message: lines.join("\n"), lines, exitCode: exitCode.usage }, args);
  return exitCode.usage;
}

function stackOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { name, message, stack = "", cause } = error;
  const frames = stack.split("\n").filter((text) => /^ +at /.test(text));
  return [plain(`${name}: ${message}`), ...frames, ...(cause === undefined ? [] : stackOf(cause))];
}

/** A stream that escapes untrusted control characters and notes whether anything was written. */
interface GuardedSink extends Sink {
  wasWritten: boolean;
}

function guarded(sink: Sink): GuardedSink {
  return {
    wasWritten: false,
    write(text) {
      this.wasWritten = true;
      return sink.write(printable(text));
    },
    get isTTY() {
      return sink.isTTY ?? false;
    },
    get hasReader() {
      return sink !== process.stdout || hasReader;
    },
    async drained() {
      const isFull = sink instanceof Writable && sink.writableNeedDrain && this.hasReader;
      // An error is dealt with where the process listens for it.
      if (isFull) await once(sink, "drain").catch(() => {});
    },
    get columns() {
      return sink.columns ?? 80;
    },
  };
}

async function printWrongUse(
  context: Context,
  error: CommanderError,
  words: string[],
  args: string[],
): Promise<void> {
  const { usageText } = await import("./usage/usage-error.ts");
  const message = await usageText(error, words);
  const { exitCode } = error;
  if (message !== undefined) printError(context, { message, lines: message.split("\n"), exitCode }, args);
  else if (exitCode !== 0) printJsonError(context, { message: "no command was named", exitCode }, args);
}

type Printed = Pick<CliError, "message" | "errorName"> & { exitCode: number };

function printError(context: Context, error: Printed & Pick<CliError, "lines">, args: string[]): void {
  const [first, ...more] = error.lines;
  line(context.stderr, `${paint(context.stderr, "red", "error:")} ${first}`);
  for (const text of more) line(context.stderr, text);
  printJsonError(context, error, args);
}

/** Prints an error as the document that `--json` promises, unless a part of the results is printed already. */
function printJsonError({ stdout }: Context, error: Printed, args: string[]): void {
  const end = args.indexOf("--");
  if (!args.slice(0, end === -1 ? undefined : end).includes("--json") || stdout.wasWritten) return;
  json(stdout, { error: error.message, errorName: error.errorName ?? null, exitCode: error.exitCode });
}

/** The first Ctrl-C, SIGTERM or SIGHUP asks the command to end, the second one, of any kind, ends the process. */
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const interrupt = (signal: NodeJS.Signals) => {
    for (const each of signals) process.off(each, interrupt);
    controller.abort(new DOMException(signal, "AbortError"));
  };
  for (const signal of signals) process.on(signal, interrupt);
  return controller.signal;
}
