import { CommanderError } from "commander";
import { type Context, line, paint } from "./context.ts";
import { CliError, exitCode, isAbort } from "./exit.ts";
import { program } from "./program.ts";

// A reader such as `head` may close the pipe early: the remaining output is dropped, and the exit code still tells the
// outcome of the command.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

/**
 * Runs the `lading` command.
 *
 * @example `process.exitCode = await main(["mass-operation", "validate", "shop.json"])`
 * @param args the words after `lading` on the command line
 * @param io replaces the streams and the signal of the process, for tests and for programs that embed the command
 * @returns the exit code (see exit.ts)
 * @throws only defects; expected errors are printed and become an exit code
 */
export async function main(args: string[], io: Partial<Context> = {}): Promise<number> {
  const context: Context = {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    interrupted: io.interrupted ?? onInterrupt(),
    exitCode: exitCode.success,
    ...io,
  };
  try {
    await (await program(context, args)).parseAsync(args, { from: "user" });
    return context.exitCode;
  } catch (thrown) {
    const error = isAbort(thrown, context.interrupted)
      ? new CliError("interrupted", exitCode.interrupted)
      : thrown;
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CliError)) throw error;
    line(context.stderr, `${paint(context.stderr, "red", "error:")} ${error.message}`);
    return error.exitCode;
  }
}

/** The first Ctrl-C or SIGTERM asks the command to end, the second one, of either kind, ends the process. */
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  const signals = ["SIGINT", "SIGTERM"] as const;
  const interrupt = (signal: NodeJS.Signals) => {
    for (const each of signals) process.off(each, interrupt);
    controller.abort(new DOMException(signal, "AbortError"));
  };
  for (const signal of signals) process.on(signal, interrupt);
  return controller.signal;
}
