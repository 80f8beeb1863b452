import type { TextPosition } from "./position.ts";

/** An error that ends the reading of a file: the rest cannot be checked. */
export interface ParseError extends TextPosition {
  readonly code: ParseErrorCode;
  readonly message: string;
  /** JSON pointer to the value with the error. */
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

/** Thrown if a file cannot be read to the end of its list: it is not the file that was checked. */
export class OperationFileError extends Error {
  override readonly name = "OperationFileError";
  readonly error: ParseError;

  constructor(error: ParseError) {
    super(`the file cannot be read beyond line ${error.line}, column ${error.column}: ${error.message}`);
    this.error = error;
  }
}
