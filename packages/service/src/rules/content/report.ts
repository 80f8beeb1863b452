import type { ErrorDetail } from "../../errors.ts";

export type Path = readonly (string | number)[];

/** Collects what is wrong while content or definitions are walked; paths are made only when there is something. */
export interface Report {
  readonly errors: ErrorDetail[];
}

export function add(report: Report, code: string, message: string, path: Path): void {
  report.errors.push({ code, message, path: [...path] });
}

/** `"a", "b" or "c"`, for the end of a message that says what would be right. */
export function oneOf(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  if (quoted.length <= 1) return quoted.join("");
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** ` Did you mean "title"?`, or nothing when no name is near. */
export const didYouMean = (near: readonly string[]): string =>
  near.length > 0 ? ` Did you mean ${oneOf(near)}?` : "";
