import type { JsonPath } from "../problems/json-pointer.ts";
import { add, type Report } from "./report.ts";

export interface Limits {
  min?: number | null;
  max?: number | null;
}

/** A count with its noun, given in the plural: `1 character of text`. */
export const counted = (count: number, plural: string): string =>
  `${count} ${count === 1 ? plural.replace(/s\b/, "") : plural}`;

export const isLimited = ({ min, max }: Limits): boolean =>
  typeof min === "number" || typeof max === "number";

/** Reports a size outside of the shape's limits, or above the type's maximum. */
export function checkSize(
  size: number,
  what: string,
  { min, max }: Limits,
  path: JsonPath,
  report: Report,
  ceiling?: number,
): void {
  if (typeof min === "number" && size < min)
    add(report, "TooFew", `${counted(size, what)}, but the shape requires at least ${min}`, path);
  if (typeof max === "number" && size > max)
    add(report, "TooMany", `${counted(size, what)}, but the shape allows at most ${max}`, path);
  else if (ceiling !== undefined && size > ceiling)
    add(report, "TooMany", `${counted(size, what)}, but a component holds at most ${ceiling}`, path);
}
