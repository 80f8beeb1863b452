import type { JsonPath } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";
import { ceilings } from "./limits.ts";
import type { ContentProblem } from "./problems.ts";

/** Collects the problems of content or definitions. */
export interface Errors {
  readonly errors: Problem[];
}

/** The time that patterns have run, in milliseconds; shared by all content that is checked in one batch. */
export interface PatternTime {
  spent: number;
}

/** The items and files that content uses, and that only the database or the object store can check. */
export interface Uses {
  /** Relations that accept items of some shapes only. */
  readonly relations: RelationUse[];
  /** Files of a limited size. */
  readonly files: FileUse[];
}

export interface RelationUse {
  itemIds: readonly string[];
  skus: readonly string[];
  accepted: readonly string[];
  /** The place of the relation in the payload. */
  path: JsonPath;
}

export interface FileUse {
  keys: readonly string[];
  /** The largest size, in bytes and as the shape has it. */
  maxBytes: number;
  maxText: string;
  path: JsonPath;
}

/** The media type of files with an extension, without its dot; undefined when it has none. */
export type MediaTypeOf = (extension: string) => string | undefined;

/** Collects the problems of content, and the items and files that it uses. */
export interface Report extends Errors {
  readonly uses: Uses;
  readonly patterns: PatternTime;
  /** Without it, the types of files are not checked. */
  readonly mediaTypeOf: MediaTypeOf | undefined;
}

export function add(report: Errors, code: string, message: string, path: JsonPath): void {
  if (report.errors.length < ceilings.errors) report.errors.push({ code, message, path });
}

/** Reports a problem that the check of operation files reports in the same words. */
export const addProblem = (report: Errors, { code, message }: ContentProblem, path: JsonPath): void =>
  add(report, code, message, path);
