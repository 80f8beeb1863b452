import { locateProblems } from "@lading/schema/internal";
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
import { formatOf } from "@lading/transform/internal/choices";
import { type Context, confirm, counted, json, line, note } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { inputName } from "../../files/json-input.ts";
import { LaterLines } from "../../files/later-lines.ts";
import { printCauses } from "../../files/print-causes.ts";
import { writeWhole } from "../../files/write-whole.ts";
import { dataOf } from "./data.ts";
import { listPresets, type MapFlags, mapText, refuseFile, writeMap } from "./map-text.ts";
import { countsText, issueText, printProblems } from "./report.ts";
import { readTable, tableFiles } from "./tables.ts";

export interface ConvertFlags extends MapFlags, Omit<TableOptions, "format"> {
  /** Default: by the name of the file. */
  format?: Format;
  /** Further tables, each as `name=file`. */
  table: string[];
  allCells?: boolean;
  all?: boolean;
}

/** Converts a table to a file, or to standard output. What is wrong is printed, and makes the exit code 2. */
export async function convertTable(
  context: Context,
  data: string | undefined,
  file: string | undefined,
  flags: ConvertFlags,
): Promise<void> {
  if (flags.preset === "help") return listPresets(context);
  if (flags.writeMap !== undefined) return writeMap(context, data, flags.writeMap, flags);
  const { name, text, preset } = await mapText(context, data, flags);
  if (data === undefined) throw new CliError("name the table to convert; - is standard input");
  const { map, problems } = compileMap(text, { allCells: flags.allCells });
  if (problems !== undefined) return refuseMap(context, flags, name, problems);
  const tables = tableFiles(flags.table, map);
  await checkFiles(
    context,
    [data, ...(flags.map === undefined ? [] : [flags.map]), ...tables.values()],
    file,
    flags,
  );
  const counts: Counts = { rows: 0, leftOut: 0, operations: 0 };
  const options = optionsOf(data, flags, preset);
  const convertRows = (issues: DataIssues) => {
    const content = convert(rowsOf(dataOf(context, data), map.columns, issues, options), map, issues, counts);
    return file === undefined ? print(context, content) : writeWhole(file, content);
  };
  try {
    for (const [name, input] of tables) {
      const issues = await reading(context, input, flags, (issues) =>
        readTable(context, map, name, input, { encoding: flags.encoding, issues }),
      );
      if (issues.errorCount > 0)
        return report(context, inputName(input), file, flags, { counts, issues, table: name });
    }
    const issues = await reading(context, data, flags, convertRows);
    report(context, inputName(data), file, flags, { counts, issues });
  } catch (error) {
    if (!(error instanceof UnknownColumns)) throw error;
    refuseMap(context, flags, name, locateProblems(text, error.problems));
  }
}

/** Settings by which the table is read. @throws CliError for an option of another format */
function optionsOf(
  data: string,
  flags: ConvertFlags,
  preset: Partial<Pick<TableOptions, "format" | "path">> = {},
): TableOptions {
  const { sheet, path = preset.path } = flags;
  const format = flags.format ?? preset.format ?? formatOf(data);
  const refuse = (option: string) => {
    throw new CliError(`${option}, and ${inputName(data)} is read as ${format}`);
  };
  if (sheet !== undefined && format !== "xlsx") refuse("--sheet is for workbooks");
  if (path !== undefined && format !== "json") refuse("--path is for --format json");
  return { ...flags, format, path };
}

/** @throws CliError when the file may not be written, or the inputs cannot all be read */
async function checkFiles(
  context: Context,
  inputs: readonly string[],
  file: string | undefined,
  flags: ConvertFlags,
): Promise<void> {
  if (inputs.filter((input) => input === "-").length > 1)
    throw new CliError("standard input can be read only once; name a file for the other table");
  if (file !== undefined) await refuseFile(context, inputs, file, flags);
}

/** Reads a table, prints what is wrong with it, and returns that. */
async function reading(
  context: Context,
  input: string,
  { all }: ConvertFlags,
  read: (issues: DataIssues) => Promise<void>,
): Promise<DataIssues> {
  const { stderr } = context;
  const textOf = (issue: DataIssue) => issueText(stderr, inputName(input), issue);
  const warnings = new LaterLines();
  const printEach = (issue: DataIssue) => line(issue.severity === "error" ? stderr : warnings, textOf(issue));
  const issues = new DataIssues(all ? printEach : undefined);
  await warnings.behind(stderr, async () => {
    try {
      await read(issues);
    } catch (error) {
      if (!(error instanceof InvalidData)) throw error;
    }
  });
  if (!all) printCauses(context, stderr, issues.causes, textOf);
  return issues;
}

/** Prints pieces until all are printed, or the reader is gone. */
async function print({ stdout }: Context, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    stdout.write(piece);
    await stdout.drained?.();
    if (stdout.hasReader === false) return;
  }
}

function refuseMap(
  context: Context,
  flags: ConvertFlags,
  map: string,
  problems: ReturnType<typeof locateProblems>,
): void {
  context.exitCode = exitCode.invalidFile;
  printProblems(context.stderr, map, problems);
  if (flags.json) json(context.stdout, { written: false, map, problems });
}

interface Outcome {
  readonly counts: Counts;
  readonly issues: DataIssues;
  /** The name of the further table that the issues are about. */
  readonly table?: string;
}

function report(
  context: Context,
  data: string,
  file: string | undefined,
  flags: ConvertFlags,
  { counts, issues, table }: Outcome,
): void {
  const { errorCount, warningCount, kept } = issues;
  const written = errorCount === 0;
  if (!written) context.exitCode = exitCode.invalidFile;
  if (file === undefined) {
    if (written) note(context, countsText(counts));
    else line(context.stderr, `${data} has ${counted(errorCount, "error")}: the output is incomplete`);
  } else if (flags.json) {
    json(context.stdout, { file, written, table, ...counts, errorCount, warningCount, issues: kept });
  } else if (written) confirm(context, `${file}: ${countsText(counts)}`);
  else line(context.stderr, `${file} is not written: ${data} has ${counted(errorCount, "error")}`);
}
