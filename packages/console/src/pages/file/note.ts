import { toPointer } from "@lading/schema/internal/json-pointer";
import { locate } from "@lading/schema/internal/locate";
import type { OperationPosition } from "./documents.ts";
import type { FileIssue } from "./issues.ts";
import type { Marker } from "./layout.ts";

/** A fault at a position of the file. */
export interface Note extends Marker {
  severity: "error" | "warning";
  message: string;
  pointer: string;
}

/** The byte range from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** The issues with a position, and an operation's failure, ordered by offset. */
export function notesOf(issues: readonly FileIssue[], failure: Note | undefined): Note[] {
  const notes = issues.flatMap(({ number, offset, severity, message, pointer }): Note[] =>
    offset === null ? [] : [{ id: `issue ${number}`, offset, severity, message, pointer }],
  );
  return failure === undefined ? notes : [...notes, failure].sort((a, b) => a.offset - b.offset);
}

/** An operation's failure, at the value its first error is about; undefined if there is none. */
export function failureOf(
  position: OperationPosition | null,
  operation: number | undefined,
): Note | undefined {
  if (position?.offset == null || position.log.status === "success") return undefined;
  const { status, message, errorName, errors } = position.log;
  const pointer = toPointer(pathOf(errors));
  return {
    id: "operation",
    offset: position.offset + bytesBefore(position, pointer),
    severity: status === "failure" ? "error" : "warning",
    message: message ?? errorName ?? status,
    pointer: `/operations/${operation}${pointer}`,
  };
}

/** The path of the first error. An entry's `errors` are JSON: a list of problems, or null. */
function pathOf(errors: unknown): string[] {
  const path: unknown = Array.isArray(errors) ? errors[0]?.path : undefined;
  return Array.isArray(path) ? path.map(String) : [];
}

/** The number of an operation's bytes before the value at a pointer, or before the nearest enclosing one. */
function bytesBefore({ text, isTextCut }: OperationPosition, pointer: string): number {
  if (text === null || isTextCut || pointer === "") return 0;
  return new TextEncoder().encode(text.slice(0, locate(text, [pointer]).get(pointer))).length;
}
