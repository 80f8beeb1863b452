import type { ContentProblem, JsonPath } from "@lading/schema";
import type { Problem } from "../../errors.ts";
import { ceilings } from "./limits.ts";
import type { Uses } from "./uses.ts";

export { oneOf, quoted } from "@lading/schema";

/** Collects what is wrong while content or definitions are walked. */
export interface Errors {
  readonly errors: Problem[];
}

/** How long patterns have run, in milliseconds; shared by all content that is checked in one go. */
export interface PatternTime {
  spent: number;
}

/** Collects what is wrong with content, and what it uses. */
export interface Report extends Errors {
  readonly uses: Uses;
  readonly patterns: PatternTime;
}

/** Reports one more error, as long as there are not far too many. */
export function add(report: Errors, code: string, message: string, path: JsonPath): void {
  if (report.errors.length < ceilings.errors) report.errors.push({ code, message, path: [...path] });
}

/** Reports one more problem that the operation file's check knows too. */
export const addProblem = (report: Errors, { code, message }: ContentProblem, path: JsonPath): void =>
  add(report, code, message, path);
