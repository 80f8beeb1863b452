import { type JsonPath, toPointer } from "./json-pointer.ts";

export interface Problem {
  /** A stable code, such as MissingField, WrongType, InvalidValue, OutOfRange or UnknownField. */
  code: string;
  /** A sentence for people: what is wrong and what is right. It names at most the last field of the path. */
  message: string;
  /** Leads from the value's root to what is wrong. */
  path: JsonPath;
}

/** A problem with its path, for people: `/variants/0/sku: "sku" is missing: expected string`. */
export function problemText({ path, message }: Problem): string {
  return path.length === 0 ? message : `${toPointer(path)}: ${message}`;
}
