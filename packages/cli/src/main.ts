import { CommanderError } from "commander";
import { type Context, line, paint } from "./context.ts";
import { CliError, exitCode } from "./exit.ts";
import { program } from "./program.ts";

/**
 * Runs the `lading` command.
 * @param args what follows `lading` on the command line
 * @returns the exit code (see exit.ts)
 */
export async function main(args: string[], io: Partial<Context> = {}): Promise<number> {
  const context: Context = {
    stdout: process.stdout,
    stderr: process.stderr,
    interrupted: io.interrupted ?? onInterrupt(),
    exitCode: exitCode.success,
    ...io,
  };
  try {
    await program(context).parseAsync(args, { from: "user" });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CliError)) throw error;
    line(context.stderr, `${paint(context.stderr, "red", "error:")} ${error.message}`);
    return error.exitCode;
  }
}

/** The first Ctrl-C asks the command to end, the second one ends the process. */
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}
