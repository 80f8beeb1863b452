import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { styleText } from "node:util";
import { escapeCharacter, unprintable } from "@lading/schema/internal/unprintable";
import type { ExitCode } from "./exit.ts";

/** The part of a stream that the CLI writes to. */
export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** True once something was written. */
  wasWritten?: boolean;
  /** False once the reader is gone: further output is dropped. */
  hasReader?: boolean;
  /** Waits until the output is flushed, so that long output does not pile up in memory. */
  drained?(): Promise<void>;
}

/** A command's streams and signal. Environment variables are read from `process.env`. */
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

/** Prints one line; line breaks in untrusted text are escaped. */
export function line(sink: Sink, text = ""): void {
  sink.write(`${oneLine(text)}\n`);
}

/** Prints one line that is not a result, such as a hint. With `--quiet` it is not printed. */
export function note({ stderr, quiet }: Context, text: string): void {
  if (!quiet) line(stderr, paint(stderr, "dim", text));
}

/** Prints one line that names the next command: a note, and with `--quiet` a result. */
export function advise(context: Context, text: string): void {
  if (context.quiet) line(context.stdout, text);
  else note(context, text);
}

/** Prints one line of confirmation, where no result was asked for. With `--quiet` it is not printed. */
export function confirm({ stdout, quiet }: Context, text: string): void {
  if (!quiet) line(stdout, text);
}

export function json(sink: Sink, value: unknown): void {
  sink.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Colours text for a terminal; with NO_COLOR, or for another sink, the text stays plain. */
export function paint(sink: Sink, style: Parameters<typeof styleText>[0], text: string): string {
  if (!sink.isTTY || process.env.NO_COLOR) return text;
  const [begin = "", end = ""] = styleText(style, "\0", { validateStream: false }).split("\0");
  return control(begin) + text + control(end);
}

/** Marks the CLI's own terminal sequences. It is random, so that no untrusted text has it. */
const mark = randomUUID();

/** Marks a terminal sequence of the CLI as trusted: sequences in any other text are escaped. */
export const control = (sequence: string): string => mark + sequence + mark;

/** Changes the parts of a text that are not trusted sequences. */
const changed = (text: string, change: (part: string) => string): string[] =>
  text.split(mark).map((part, at) => (at % 2 === 1 ? part : change(part)));

export const oneLine = (text: string): string =>
  changed(text, (part) => part.replace(unprintable, " ")).join(mark);

/** Escapes control characters as JSON does, so that JSON keeps its meaning; the CLI's own sequences stay. */
export const printable = (text: string): string =>
  changed(text, (part) =>
    part.replace(unprintable, (character) =>
      /[\n\t]/.test(character) ? character : escapeCharacter(character),
    ),
  ).join("");

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
  const lines = rows.map((row) => row.map(oneLine));
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((row) => widthOf(row[column]))));
  for (const row of lines) {
    const cells = row.map((cell, column) => {
      const space = " ".repeat(widths[column]! - widthOf(cell));
      return right.includes(column) ? space + cell : cell + space;
    });
    line(sink, cells.join("  ").trimEnd());
  }
}

const widthOf = (cell = "") =>
  cell.split(mark).reduce((sum, part, at) => (at % 2 === 1 ? sum : sum + part.length), 0);

/** Untrusted text on one line, trimmed and without control characters. */
export const plain = (text: string): string => oneLine(text).trim();
