/** Exit codes of the process. Scripts rely on these numbers. */
export const exitCode = {
  success: 0,
  /** Usage error, or no usable response from the service. */
  usage: 1,
  invalidFile: 2,
  /** The task itself ended in `error`. */
  taskError: 3,
  /** The task completed; some operations failed or succeeded in part. Or an image of a dump could not be read. */
  operationsFailed: 4,
  /** With `--exit-code`: the plan has changes. */
  changes: 5,
  /** The task is held until it is resumed. */
  held: 6,
  /** With `--refuse`: the plan has what is refused. */
  refused: 7,
  /** Ended by Ctrl-C: 128 + SIGINT, the convention of shells. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** True for the error of work that Ctrl-C aborted. */
export const isAbort = (error: unknown, interrupted: AbortSignal): boolean =>
  interrupted.aborted && error instanceof Error && error.name === "AbortError";

/** An expected end of the command: its message is shown as it is, without a stack. */
export class CliError extends Error {
  /** The lines of the message; line breaks within one are escaped. */
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
  readonly errorName?: string;

  constructor(message: string | readonly string[], code: ExitCode = exitCode.usage, errorName?: string) {
    const lines = typeof message === "string" ? [message] : message;
    super(lines.join("\n"));
    this.lines = lines;
    this.exitCode = code;
    if (errorName !== undefined) this.errorName = errorName;
  }
}
