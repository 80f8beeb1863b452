import type { FileReport } from "@lading/schema";

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

/** The worker's jobs: their inputs and outputs. */
export interface Jobs {
  /** Checks a file's JSON. */
  check: { input: Blob; output: CheckReport };
  /** Decompresses a file. */
  unpack: { input: { file: Blob; maxBytes: number }; output: Blob };
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
