import type { OperationPlace } from "./documents.ts";
import type { FileIssue } from "./issues.ts";
import type { Marker } from "./layout.ts";

/** A fault at a place of the file. */
export interface Note extends Marker {
  severity: "error" | "warning";
  message: string;
  pointer: string;
}

/** Bytes of a file, from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** The issues that have a place, and the failure of the operation that was asked for, in the order of their offsets. */
export function notesOf(
  issues: readonly FileIssue[],
  place: OperationPlace | null,
  operation: number | undefined,
): Note[] {
  const notes = issues.flatMap(({ number, offset, severity, message, pointer }): Note[] =>
    offset === null ? [] : [{ id: `issue ${number}`, offset, severity, message, pointer }],
  );
  if (place?.offset == null || place.log.status === "success") return notes;
  const { status, message, errorName } = place.log;
  const failure: Note = {
    id: "operation",
    offset: place.offset,
    severity: status === "failure" ? "error" : "warning",
    message: message ?? errorName ?? status,
    pointer: `/operations/${operation}`,
  };
  return [...notes, failure].sort((a, b) => a.offset - b.offset);
}
