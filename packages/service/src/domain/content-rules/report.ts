import type { ContentProblem } from "@lading/schema";
import type { ErrorDetail } from "../../errors.ts";
import { ceilings } from "./limits.ts";
import type { PatternTime } from "./pattern-time.ts";
import type { Uses } from "./uses.ts";

export { didYouMean, oneOf, quoted } from "@lading/schema";

export type Path = readonly (string | number)[];

/** Collects what is wrong while content or definitions are walked. */
export interface Errors {
  readonly errors: ErrorDetail[];
}

/** Collects what is wrong with content, and what it uses. */
export interface Report extends Errors {
  readonly uses: Uses;
  readonly patterns: PatternTime;
}

/** Reports one more error, as long as there are not far too many. */
export function add(report: Errors, code: string, message: string, path: Path): void {
  if (report.errors.length < ceilings.errors) report.errors.push({ code, message, path: [...path] });
}

/** Reports one more problem that the operation file's check knows too. */
export const addProblem = (report: Errors, { code, message }: ContentProblem, path: Path): void =>
  add(report, code, message, path);
