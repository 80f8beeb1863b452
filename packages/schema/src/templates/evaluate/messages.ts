import { asSentence, didYouMean, firstOf, quoted } from "../../problems/phrases.ts";
import { bracesAdvice } from "../parse/syntax-error.ts";

/** Maximum number of names compared with a misspelt one. */
const mostCompared = 1_000;

/** `"a", "b" and 7 more` */
export function list(names: Iterable<string>): string {
  const { shown, more } = firstOf([...names]);
  const last = more > 0 ? `${more} more` : (shown.pop() ?? "nothing");
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** ` Did you mean "b"?`, or empty if no candidate is near. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  return asSentence(didYouMean(name, [...candidates].slice(0, mostCompared)));
}

/** Like `suggestion`; without a near candidate, explains how to write literal braces. */
export const suggestionOrBraces = (name: string, candidates: Iterable<string>): string =>
  suggestion(name, candidates) || `${asSentence(bracesAdvice)}.`;

/** A value, for the middle of a sentence. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return `an object with ${list(Object.keys(value))}`;
  if (typeof value === "string") return `the text ${quoted(value)}`;
  if (typeof value === "number" || typeof value === "boolean") return `the ${typeof value} ${value}`;
  return `a ${typeof value}`;
}
