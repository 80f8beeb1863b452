import type { DataIssueCode } from "../issues.ts";

/** A cell that does not fit its place. */
export class CellError extends Error {
  override readonly name = "CellError";
  readonly code: DataIssueCode;
  /** The name of the column, where it is not the only one of its place. */
  column: string | undefined;

  constructor(code: DataIssueCode, message: string) {
    super(message);
    this.code = code;
  }
}
