import { nearest } from "../../problems/nearest.ts";
import { bracesAdvice } from "../parse/syntax-error.ts";

const mostListed = 20;
const mostCompared = 1_000;
const longestName = 100;

/** `"a", "b" and 7 more` */
export function list(names: Iterable<string>): string {
  const all = [...names];
  if (all.length === 0) return "nothing";
  const shown = all.slice(0, mostListed).map((name) => JSON.stringify(shorten(name)));
  if (all.length > shown.length) return `${shown.join(", ")} and ${all.length - shown.length} more`;
  const last = shown.pop();
  return shown.length === 0 ? `${last}` : `${shown.join(", ")} and ${last}`;
}

/** ` Did you mean "b"?`, or nothing when no candidate is near. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  if (name.length > longestName) return "";
  const compared = [...candidates].slice(0, mostCompared);
  const near = nearest(name, compared).map((candidate) => JSON.stringify(candidate));
  return near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
}

/** Like `suggestion`; where no candidate is near, the braces may be text, so it says how these are written. */
export const suggestionOrBraces = (name: string, candidates: Iterable<string>): string =>
  suggestion(name, candidates) || ` ${bracesAdvice[0]!.toUpperCase()}${bracesAdvice.slice(1)}.`;

/** A value in the middle of a sentence. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return `an object with ${list(Object.keys(value))}`;
  if (typeof value === "string") return `the text ${JSON.stringify(shorten(value))}`;
  if (typeof value === "number" || typeof value === "boolean") return `the ${typeof value} ${value}`;
  return `a ${typeof value}`;
}

function shorten(text: string): string {
  return text.length <= longestName ? text : `${text.slice(0, longestName)}…`;
}
