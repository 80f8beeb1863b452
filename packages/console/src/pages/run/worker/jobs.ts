import type { FileReport } from "@lading/schema";

/** The report of a file, without what only a run of it needs. */
export type CheckReport = Omit<FileReport, "lifetimes" | "names">;

/** A text that may be written at a place of a file. */
export interface Suggestion {
  label: string;
  /** The text that it is found by. */
  filterText: string;
  /** The text that replaces what is between two offsets, in the syntax of snippets of the language server protocol. */
  snippet: string;
  from: number;
  to: number;
  documentation: string;
  /** True where more is to be chosen once it is written, such as the value of a field. */
  leadsOn: boolean;
}

/** The jobs of the worker: their inputs and outputs. */
export interface Jobs {
  /** Checks the JSON of a file. */
  check: { input: Blob; output: CheckReport };
  /** Decompresses a file. */
  unpack: { input: { file: Blob; maxBytes: number }; output: Blob };
  /** Completes a text at an offset, in UTF-16 units. */
  complete: { input: { text: string; offset: number }; output: Suggestion[] };
}

export type JobName = keyof Jobs;

/** The signal that ends a job early, and the receiver of its progress in bytes. */
export interface JobContext {
  signal: AbortSignal;
  onBytes(bytes: number): void;
}

export type JobRequest = { id: number; job: JobName; input: unknown } | { id: number; job: "abort" };

export type JobReply =
  | { id: number; bytes: number }
  | { id: number; output: unknown }
  | { id: number; error: string };
