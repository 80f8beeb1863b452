import type { TextPosition } from "./position.ts";

/** What keeps a file from being read on: nothing can be told of the rest. */
export interface ParseError extends TextPosition {
  readonly code: ParseErrorCode;
  readonly message: string;
  /** JSON pointer to the value that the error is in. */
  readonly pointer: string;
  readonly operationIndex: number | null;
}

export type ParseErrorCode =
  | "EmptyFile"
  | "WrongType"
  | "InvalidJson"
  | "InvalidEncoding"
  | "TruncatedFile"
  | "ContentAfterEnd"
  | "DuplicateKey"
  | "NestedTooDeep"
  | "TooLarge";

/** A file could not be read as far as it had to be: it is another than the one that was checked, or never was. */
export class OperationFileError extends Error {
  override readonly name = "OperationFileError";
  readonly error: ParseError;

  constructor(error: ParseError) {
    super(`the file cannot be read on from line ${error.line}, column ${error.column}: ${error.message}`);
    this.error = error;
  }
}
