import { add, type Path, type Report } from "./report.ts";

export interface Limits {
  min?: number | null;
  max?: number | null;
}

/** Reports a size outside of the limits that the shape sets, or above the ceiling of the type. */
export function checkSize(
  size: number,
  what: string,
  { min, max }: Limits,
  path: Path,
  report: Report,
  ceiling?: number,
): void {
  if (typeof min === "number" && size < min)
    add(report, "TooFew", `${size} ${what}, but the shape wants at least ${min}`, path);
  if (typeof max === "number" && size > max)
    add(report, "TooMany", `${size} ${what}, but the shape allows at most ${max}`, path);
  else if (ceiling !== undefined && size > ceiling)
    add(report, "TooMany", `${size} ${what}, but a component holds at most ${ceiling}`, path);
}
