import type { FileReport, LocatedProblem } from "@lading/schema/internal";
import type { Counts, DataIssue, TableOptions } from "@lading/transform";
import type { Change } from "../../export/change.ts";

/** A file's report, without the parts only a run needs. */
export type CheckReport = Omit<FileReport, "lifetimes" | "names">;

/** A completion at a position of a file. */
export interface Suggestion {
  label: string;
  /** The text it is matched by. */
  filterText: string;
  /** The snippet (language server protocol) that replaces the text between two offsets. */
  snippet: string;
  from: number;
  to: number;
  documentation: string;
  /** True if more completions follow once it is inserted, such as a field's value. */
  leadsOn: boolean;
}

/** A table in a file, which may be compressed. */
export interface TableFile extends Omit<TableOptions, "encoding"> {
  file: Blob;
  /** Default: UTF-8, or UTF-16 for a file that begins with its byte order mark. */
  encoding: TableOptions["encoding"] | undefined;
}

/** A table and what converts it, as far as it is chosen. */
export interface ConversionInput {
  table: TableFile | undefined;
  /** The text of the map. */
  map: string | undefined;
  /** True if every filled cell of an exported table counts as edited. */
  allCells: boolean;
  /** Further tables that the map looks up cells in, by name. */
  lookups: Readonly<Record<string, TableFile>>;
  /** The maximum size of the operations. */
  maxBytes: number;
}

/** A row in a preview: its cells as text, in the order of the columns. */
export interface PreviewRow {
  line: number;
  cells: readonly string[];
}

/** A row, or a group of rows, and the operations that it becomes. */
export interface PreviewGroup {
  rows: readonly PreviewRow[];
  operations: readonly string[];
}

/** An issue of a table; one of a further one has its name. */
export interface TableIssue extends DataIssue {
  table?: string;
}

/** The known facts about a table and a map, and what became of them. */
export interface ConversionReport {
  /** The table's columns and first rows, if it can be read. */
  table?: Pick<TableOptions, "encoding" | "format"> & {
    columns: readonly string[];
    rows: readonly PreviewRow[];
  };
  /** The sheets of a workbook that has several. */
  sheets?: readonly string[];
  map?: { tables: readonly string[]; isOfExport: boolean };
  /** The problems of the map, or between it and the table. */
  problems: readonly LocatedProblem[];
  /** The columns that the map reads. */
  columns: readonly string[];
  groups: readonly PreviewGroup[];
  issues: readonly TableIssue[];
  errorCount: number;
  warningCount: number;
  counts: Counts;
  /** Rows that meet the map's conditions and become no operation. */
  idle: number;
  /** The operations; undefined if there are errors, or something is not chosen yet. */
  json?: Blob;
}

/** A change of one column of an exported table. */
export interface EditInput {
  /** NDJSON. */
  table: Blob;
  column: string;
  /** The columns that tell rows apart. */
  keys: readonly string[];
  change: Change;
  /** All rows, or none, except those with some keys. */
  chosen: { all: boolean; except: readonly string[] };
  /** The maximum size of the edited rows. */
  maxBytes: number;
}

export interface EditReport {
  rows: number;
  /** Rows that would change. */
  changing: number;
  /** Those of them that are chosen. */
  edited: number;
  /** The first rows that would change. */
  first: readonly { key: string; name: string; old: string; value: string }[];
  /** The edited rows. */
  table: Blob;
}

/** The worker's jobs: their inputs and outputs. */
export interface Jobs {
  /** Checks a file's JSON. */
  check: { input: Blob; output: CheckReport };
  /** Decompresses a file. */
  unpack: { input: { file: Blob; maxBytes: number }; output: Blob };
  /** Converts a table, as far as what it takes is chosen. */
  convert: { input: ConversionInput; output: ConversionReport };
  /** Edits a column of an exported table. */
  edit: { input: EditInput; output: EditReport };
  /** Completes a text at an offset, in UTF-16 units. */
  complete: { input: { text: string; offset: number }; output: Suggestion[] };
}

export type JobName = keyof Jobs;

/** The signal that aborts a job, and the receiver of its progress in bytes. */
export interface JobContext {
  signal: AbortSignal;
  onBytes(bytes: number): void;
}

export type JobRequest = { id: number; job: JobName; input: unknown } | { id: number; job: "abort" };

export type JobReply =
  | { id: number; bytes: number }
  | { id: number; output: unknown }
  | { id: number; error: string };
