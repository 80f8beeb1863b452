import { resolve } from "node:path";
import { locateProblems } from "@lading/schema";
import {
  type Counts,
  compileMap,
  convert,
  type DataIssue,
  DataIssues,
  type Format,
  InvalidData,
  rowsOf,
  type TableOptions,
  UnknownColumns,
} from "@lading/transform";
import { type Context, confirm, counted, json, line, note } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { inputName } from "../../files/json-input.ts";
import { LaterLines } from "../../files/later-lines.ts";
import { printCauses } from "../../files/print-causes.ts";
import { readText, refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import type { CommonFlags } from "../../options.ts";
import { dataOf } from "./data.ts";
import { countsText, issueText, printProblems } from "./report.ts";

export interface ConvertFlags extends CommonFlags, Omit<TableOptions, "format"> {
  /** Default: by the name of the file. */
  format?: Format;
  map: string;
  force?: boolean;
  all?: boolean;
}

/** Converts a table to a file, or to standard output. What is wrong is printed, and makes the exit code 2. */
export async function convertTable(
  context: Context,
  data: string,
  file: string | undefined,
  flags: ConvertFlags,
): Promise<void> {
  const text = await readText(flags.map);
  if (text === undefined) throw new CliError(`there is no file ${flags.map}`);
  const { map, problems } = compileMap(text);
  if (problems !== undefined) return refuseMap(context, flags, problems);
  if (file !== undefined) {
    if ([data, flags.map].some((input) => resolve(input) === resolve(file)))
      throw new CliError(`${file} is read by this command; name another file to write`);
    await refuseToReplace(context, file, flags);
  }
  const { stderr } = context;
  const textOf = (issue: DataIssue) => issueText(stderr, inputName(data), issue);
  const warnings = new LaterLines();
  const printEach = (issue: DataIssue) => line(issue.severity === "error" ? stderr : warnings, textOf(issue));
  const issues = new DataIssues(flags.all ? printEach : undefined);
  const counts: Counts = { rows: 0, leftOut: 0, operations: 0 };
  const options = { ...flags, format: flags.format ?? formatOf(data) };
  const content = convert(rowsOf(dataOf(context, data), map.columns, issues, options), map, issues, counts);
  const unknown = await warnings.behind(stderr, async () => {
    try {
      await (file === undefined ? print(context, content) : writeWhole(file, content));
    } catch (error) {
      if (error instanceof UnknownColumns) return error.problems;
      if (!(error instanceof InvalidData)) throw error;
    }
    return undefined;
  });
  if (unknown !== undefined) return refuseMap(context, flags, locateProblems(text, unknown));
  if (!flags.all) printCauses(context, stderr, issues.causes, textOf);
  report(context, inputName(data), file, flags, { counts, issues });
}

const formatOf = (file: string): Format => (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(file) ? "ndjson" : "csv");

/** Prints pieces until all are printed, or the reader is gone. */
async function print({ stdout }: Context, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    stdout.write(piece);
    await stdout.drained?.();
    if (stdout.hasReader === false) return;
  }
}

function refuseMap(context: Context, flags: ConvertFlags, problems: ReturnType<typeof locateProblems>): void {
  context.exitCode = exitCode.invalidFile;
  printProblems(context.stderr, flags.map, problems);
  if (flags.json) json(context.stdout, { written: false, map: flags.map, problems });
}

interface Outcome {
  readonly counts: Counts;
  readonly issues: DataIssues;
}

function report(
  context: Context,
  data: string,
  file: string | undefined,
  flags: ConvertFlags,
  { counts, issues }: Outcome,
): void {
  const { errorCount, warningCount, kept } = issues;
  const written = errorCount === 0;
  if (!written) context.exitCode = exitCode.invalidFile;
  if (file === undefined) {
    if (written) note(context, countsText(counts));
    else line(context.stderr, `${data} has ${counted(errorCount, "error")}: the output is incomplete`);
  } else if (flags.json) {
    json(context.stdout, { file, written, ...counts, errorCount, warningCount, issues: kept });
  } else if (written) confirm(context, `${file}: ${countsText(counts)}`);
  else line(context.stderr, `${file} is not written: ${data} has ${counted(errorCount, "error")}`);
}
