import type { Readable } from "node:stream";
import { styleText } from "node:util";
import type { ExitCode } from "./exit.ts";

/** The part of a stream that the CLI writes to. */
export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** True once something was written. */
  wasWritten?: boolean;
  /** False once nobody reads what is written: the rest of the output is dropped. */
  hasReader?: boolean;
  /** Waits until what was written is on its way, so that long output is not collected in memory. */
  drained?(): Promise<void>;
}

/** The surroundings of a command besides its arguments. Environment variables are read from `process.env`. */
export interface Context {
  /** Results. With `--json`, one JSON document and nothing else. */
  stdout: Sink;
  /** Everything that is not a result. */
  stderr: Sink;
  /** The command asks questions only if this is a terminal. The input `-` needs a Readable. */
  stdin: Partial<Readable> & { isTTY?: boolean };
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
  exitCode: ExitCode;
  /** True with `--quiet`: only results and errors are printed. */
  quiet: boolean;
}

/** Prints one line. */
export function line(sink: Sink, text = ""): void {
  sink.write(`${text}\n`);
}

/** Prints one line beside the results, such as a hint. With `--quiet` it is not printed. */
export function note({ stderr, quiet }: Context, text: string): void {
  if (!quiet) line(stderr, paint(stderr, "dim", text));
}

/** Prints one line that names the next command: a note, and with `--quiet` a result. */
export function advise(context: Context, text: string): void {
  if (context.quiet) line(context.stdout, text);
  else note(context, text);
}

/** Prints one line that confirms what was done, where nothing was asked for. With `--quiet` it is not printed. */
export function confirm({ stdout, quiet }: Context, text: string): void {
  if (!quiet) line(stdout, text);
}

/** Prints a value as indented JSON. */
export function json(sink: Sink, value: unknown): void {
  line(sink, JSON.stringify(value, null, 2));
}

/** Colours text for a terminal; with NO_COLOR, or for another sink, the text stays plain. */
export function paint(sink: Sink, style: Parameters<typeof styleText>[0], text: string): string {
  if (!sink.isTTY || process.env.NO_COLOR) return text;
  return styleText(style, text, { validateStream: false });
}

/** `1204` → `1,204` */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** `count` with the noun that fits it: `1 error`, `1,204 errors`. */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Prints rows as a table, each column as wide as its widest cell; the columns in `right` are aligned to the right. */
export function table(sink: Sink, rows: readonly (readonly string[])[], right: readonly number[] = []): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      right.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
    );
    line(sink, cells.join("  ").trimEnd());
  }
}

/** Puts foreign text on one line, without control characters, which a terminal would obey. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}
