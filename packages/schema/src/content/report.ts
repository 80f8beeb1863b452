import type { JsonPath } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";
import { ceilings } from "./limits.ts";
import type { ContentProblem } from "./problems.ts";

/** Collects the problems of content or definitions. */
export interface Errors {
  readonly errors: Problem[];
}

/** Time spent running patterns, in milliseconds; shared by all content checked in one batch. */
export interface PatternTime {
  spent: number;
}

/** The items and files used by content, which only the database or the object store can check. */
export interface Uses {
  /** Relations that accept only items of some shapes. */
  readonly relations: RelationUse[];
  /** Files with a size limit. */
  readonly files: FileUse[];
}

export interface RelationUse {
  itemIds: readonly string[];
  skus: readonly string[];
  accepted: readonly string[];
  /** The relation's path in the payload. */
  path: JsonPath;
}

export interface FileUse {
  keys: readonly string[];
  /** The maximum size, in bytes and as the shape gives it. */
  maxBytes: number;
  maxText: string;
  path: JsonPath;
}

/** The media type of a file extension without its dot; undefined if it has none. */
export type MediaTypeOf = (extension: string) => string | undefined;

/** Collects the problems of content, and the items and files it uses. */
export interface Report extends Errors {
  readonly uses: Uses;
  readonly patterns: PatternTime;
  /** Without it, file types are not checked. */
  readonly mediaTypeOf: MediaTypeOf | undefined;
}

export function add(report: Errors, code: string, message: string, path: JsonPath): void {
  if (report.errors.length < ceilings.errors) report.errors.push({ code, message, path });
}

/** Reports a problem that the check of operation files words the same way. */
export const addProblem = (report: Errors, { code, message }: ContentProblem, path: JsonPath): void =>
  add(report, code, message, path);
