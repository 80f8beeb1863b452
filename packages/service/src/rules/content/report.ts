import type { ErrorDetail } from "../../errors.ts";
import { ceilings } from "./limits.ts";
import type { Uses } from "./uses.ts";

export type Path = readonly (string | number)[];

/** Collects what is wrong while content or definitions are walked. */
export interface Errors {
  readonly errors: ErrorDetail[];
}

/** Collects what is wrong with content, and what it uses. */
export interface Report extends Errors {
  readonly uses: Uses;
}

/** Reports one more error, as long as there are not far too many. */
export function add(report: Errors, code: string, message: string, path: Path): void {
  if (report.errors.length < ceilings.errors) report.errors.push({ code, message, path: [...path] });
}

const longest = 100;
const most = 20;

/** A text of the payload within a message. */
export function quoted(text: string): string {
  return `"${text.length <= longest ? text : `${text.slice(0, longest)}…`}"`;
}

/** `"a", "b" or "c"`, for the end of a message that says what would be right. */
export function oneOf(names: readonly string[]): string {
  const shown = names.slice(0, most).map(quoted);
  const last = names.length > most ? `${names.length - most} more` : shown.pop();
  return shown.length === 0 ? (last ?? "nothing") : `${shown.join(", ")} or ${last}`;
}

/** ` Did you mean "title"?`, or nothing when no name is near. */
export const didYouMean = (near: readonly string[]): string =>
  near.length > 0 ? ` Did you mean ${oneOf(near)}?` : "";
