import { locateProblems } from "@lading/schema/internal";
import {
  type CompiledMap,
  type Counts,
  compileMap,
  convert,
  DataError,
  type DataIssue,
  DataIssues,
  firstRows,
  InvalidData,
  type Row,
  rowsOf,
  type TableOptions,
  UnknownColumns,
  type UsedColumns,
} from "@lading/transform";
import { BlobWriter } from "./blob-writer.ts";
import type {
  ConversionInput,
  ConversionReport,
  JobContext,
  PreviewGroup,
  PreviewRow,
  TableFile,
} from "./jobs.ts";
import { chunksOf, decompressed, isGzip } from "./unpack.ts";

/** The limits of a preview: what a page can show, and a reader read. */
export const previewLimits = {
  /** Groups of rows from the beginning, and as many with errors. */
  groups: 20,
  rowsOfGroup: 20,
  cellLength: 200,
  operationsOfGroup: 10,
  operationLength: 4_000,
  issues: 200,
} as const;

/** Converts a table, as far as what it takes is chosen. Memory holds neither the table nor the operations. */
export async function convertTable(input: ConversionInput, context: JobContext): Promise<ConversionReport> {
  const report: ConversionReport = {
    ...{ problems: [], columns: [], groups: [], issues: [], errorCount: 0, warningCount: 0 },
    counts: { rows: 0, leftOut: 0, operations: 0 },
    idle: 0,
  };
  const map = input.map === undefined ? undefined : readMap(input.map, input.allCells, report);
  const table = await openTable(input.table, report, context);
  if (map === undefined || table === undefined) return report;
  const lookups = [...map.tables].map(([name, lookup]) => ({ name, lookup, file: input.lookups[name] }));
  if (lookups.some(({ file }) => file === undefined)) return report;
  try {
    for (const { name, lookup, file } of lookups) {
      if (file === undefined) continue;
      const quiet = { signal: context.signal, onBytes: () => {} };
      const opened = await recognized(file, quiet);
      const issues = await reading(report, name, (issues) =>
        lookup.read(rowsOf(bytesOf(file, quiet), lookup.columns, issues, opened), issues),
      );
      if (issues.errorCount > 0) return report;
    }
    const content = new BlobWriter(input.maxBytes);
    const preview = new Preview(map.columns, report.table?.columns ?? []);
    const issues = await reading(
      report,
      undefined,
      (issues) => writeOperations(table, map, content, { preview, counts: report.counts, issues, context }),
      preview.noteIssue,
    );
    report.columns = preview.columns;
    report.groups = preview.groups;
    report.idle = preview.idle;
    if (issues.errorCount === 0) report.json = content.end();
  } catch (error) {
    if (!(error instanceof UnknownColumns)) throw error;
    report.problems = locateProblems(input.map ?? "", error.problems);
  }
  return report;
}

function readMap(text: string, allCells: boolean, report: ConversionReport): CompiledMap | undefined {
  const { map, problems } = compileMap(text, { allCells });
  if (problems !== undefined) report.problems = problems;
  else report.map = { tables: [...map.tables.keys()], isOfExport: map.columns.exported !== undefined };
  return map;
}

const formOf = ({ encoding, format }: TableOptions) => ({ encoding, format });

/** Reads the beginning of a table. Returns undefined, with an issue or its sheets, if it cannot. */
async function openTable(
  file: TableFile | undefined,
  report: ConversionReport,
  { signal }: JobContext,
): Promise<(TableFile & TableOptions) | undefined> {
  if (file === undefined) return undefined;
  const quiet = { signal, onBytes: () => {} };
  const table = await recognized(file, quiet);
  try {
    const { columns, rows } = await firstRows(bytesOf(table, quiet), table, previewLimits.groups);
    report.table = { columns, rows: rows.map((row) => previewRow(row)), ...formOf(table) };
    return table;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const { sheets } = error.issue;
    if (sheets !== undefined) report.sheets = sheets;
    else [report.issues, report.errorCount] = [[error.issue], 1];
    return undefined;
  }
}

/** Adds the issues that are found while a table is read to the report. */
async function reading(
  report: ConversionReport,
  table: string | undefined,
  read: (issues: DataIssues) => Promise<void>,
  onIssue?: (issue: DataIssue) => void,
): Promise<DataIssues> {
  const issues = new DataIssues(onIssue);
  try {
    await read(issues);
  } catch (error) {
    if (!(error instanceof InvalidData)) throw error;
  }
  const found = issues.kept.map((issue) => ({ ...issue, ...(table !== undefined && { table }) }));
  report.issues = [...report.issues, ...found].slice(0, previewLimits.issues);
  report.errorCount += issues.errorCount;
  report.warningCount += issues.warningCount;
  return issues;
}

interface Writing {
  preview: Preview;
  counts: Counts;
  issues: DataIssues;
  context: JobContext;
}

async function writeOperations(
  table: TableFile & TableOptions,
  map: CompiledMap,
  content: BlobWriter,
  { preview, counts, issues, context }: Writing,
): Promise<void> {
  const encoder = new TextEncoder();
  const rows = rowsOf(bytesOf(table, context), map.columns, issues, table);
  for await (const text of convert(rows, map, issues, counts, preview.add)) content.add(encoder.encode(text));
}

/** The first groups of rows, and the first that have errors. Of an exported table, only those with edits. */
class Preview {
  readonly groups: PreviewGroup[] = [];
  /** Rows that become no operation, and have no errors. */
  idle = 0;
  readonly #used: UsedColumns;
  readonly #header: readonly string[];
  readonly #wrongLines = new Set<number>();
  #count = 0;
  #wrong = 0;

  /** @param header the table's columns, whose order a reader knows */
  constructor(used: UsedColumns, header: readonly string[]) {
    this.#used = used;
    this.#header = header;
  }

  get columns(): readonly string[] {
    return this.#slots.map((slot) => this.#used.names[slot]!);
  }

  /** The slots that are shown of a row, once the names of its columns are known. */
  get #slots(): readonly number[] {
    const { names, exported } = this.#used;
    return [...names.keys()]
      .filter((slot) => names[slot] !== exported?.marksName)
      .sort((one, other) => this.#header.indexOf(names[one]!) - this.#header.indexOf(names[other]!));
  }

  noteIssue = ({ severity, line }: DataIssue): void => {
    if (severity === "error" && line !== null) this.#wrongLines.add(line);
  };

  add = (rows: readonly Row[], operations: readonly string[]): void => {
    const hasErrors = this.#wrongLines.size > 0 && rows.some(({ line }) => this.#wrongLines.has(line));
    if (hasErrors) this.#wrong++;
    else if (operations.length === 0) {
      this.idle += rows.length;
      if (this.#used.exported !== undefined) return;
    }
    this.#count++;
    if (this.#count > previewLimits.groups && !(hasErrors && this.#wrong <= previewLimits.groups)) return;
    const slots = this.#slots;
    this.groups.push({
      rows: rows.slice(0, previewLimits.rowsOfGroup).map((row) => previewRow(row, slots)),
      operations: operations.slice(0, previewLimits.operationsOfGroup).map(readable),
    });
  };
}

/** The cells in some slots, of an exported table only keys and what was edited. */
const previewRow = (
  { line, cells, edits = cells }: Row,
  slots: readonly number[] = [...cells.keys()],
): PreviewRow => ({
  line,
  cells: slots.map((slot) => shortened(textOf(edits[slot]), previewLimits.cellLength)),
});

/** A cell as the table has it: a text, or a value of NDJSON. JSON has nothing for one that is not there. */
const textOf = (cell: unknown): string => (typeof cell === "string" ? cell : (JSON.stringify(cell) ?? ""));

const readable = (operation: string): string =>
  shortened(
    operation.length > previewLimits.operationLength
      ? operation
      : JSON.stringify(JSON.parse(operation), null, 1),
    previewLimits.operationLength,
  );

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)} …` : text;

/** Recognizes UTF-16 by its byte order mark, unless the encoding is chosen, and a workbook whatever its name. */
async function recognized(table: TableFile, context: JobContext): Promise<TableFile & TableOptions> {
  const { encoding = "utf-8" } = table;
  for await (const [first, second] of bytesOf(table, context)) {
    if (first === 0x50 && second === 0x4b) return { ...table, encoding, format: "xlsx" };
    if (table.encoding !== undefined) break;
    if (first === 0xff && second === 0xfe) return { ...table, encoding: "utf-16le" };
    if (first === 0xfe && second === 0xff) return { ...table, encoding: "utf-16be" };
    break;
  }
  return { ...table, encoding };
}

/** Yields a table's content. Reports the bytes of the file that were read for it. */
async function* bytesOf({ file }: TableFile, { signal, onBytes }: JobContext): AsyncGenerator<Uint8Array> {
  let read = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        read += chunk.length;
        onBytes(read);
        controller.enqueue(chunk);
      },
    }),
  );
  yield* (await isGzip(file)) ? decompressed(counted, signal) : chunksOf(counted, signal);
}
