import { shortened } from "./phrases.ts";

const longestText = 40;

/** A JSON value in an error message: its type, and the value if it is short. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `string ${JSON.stringify(shortened(value, longestText))}`;
  if (typeof value === "number" && !Number.isFinite(value))
    return "a number too large to be read (beyond 1.8e308)";
  return `${typeof value} ${String(value)}`;
}
