import type { Place } from "./position.ts";

/** What keeps a file from being read on: nothing can be told of the rest. */
export interface Fault extends Place {
  readonly code: FaultCode;
  readonly message: string;
  /** JSON pointer to the value that the fault is in. */
  readonly pointer: string;
  readonly operationIndex: number | null;
}

export type FaultCode =
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
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(`the file cannot be read on from line ${fault.line}, column ${fault.column}: ${fault.message}`);
    this.fault = fault;
  }
}
