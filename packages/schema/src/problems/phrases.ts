import { nearest } from "./nearest.ts";

/** Longest text of a payload that a message repeats in full. */
const longestText = 100;
/** Maximum names a message lists; one more is listed rather than counted. */
export const mostNames = 5;
/** Longer names are not compared for a suggestion: the cost grows with the product of the lengths. */
const longestCompared = 60;

/** A text, shortened if it is too long for a message. */
export const shortened = (text: string, longest = longestText): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}…`;

/** A text of a payload within a message, in double quotes. */
export const quoted = (text: string): string => JSON.stringify(shortened(text));

/** `"a", "b" or "c"`, for the end of a message that says what is right. */
export function oneOf(names: readonly string[]): string {
  const { shown, more } = firstOf(names);
  const last = more > 0 ? `${more} more` : shown.pop();
  return shown.length === 0 ? (last ?? "nothing") : `${shown.join(", ")} or ${last}`;
}

/** Some values in quotes, and the number of the others. */
export function firstOf(names: readonly unknown[]): { shown: string[]; more: number } {
  const most = names.length > mostNames + 1 ? mostNames : names.length;
  const shown = names
    .slice(0, most)
    .map((name) => (typeof name === "string" ? quoted(name) : JSON.stringify(name)));
  return { shown, more: names.length - most };
}

/** `"a", "b" and 7 more` */
export function someOf(names: readonly unknown[]): string {
  const { shown, more } = firstOf(names);
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `did you mean "a" or "b"?` with at most `most` names, or undefined if no known name is near. */
export function didYouMean(name: string, known: readonly string[], most?: number): string | undefined {
  return name.length > longestCompared ? undefined : didYouMeanOneOf(nearest(name, known, most));
}

/** `did you mean "a" or "b"?`, or undefined without names. */
export const didYouMeanOneOf = (names: readonly string[]): string | undefined =>
  names.length > 0 ? `did you mean ${oneOf(names)}?` : undefined;

/** `did you mean "a"?` or, if no known name is near, some of them: `known here: "a", "b" and 7 more`. */
export const suggestion = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? `known here: ${someOf(known)}`;

/** A clause as a further sentence: ` Did you mean "a"?`; empty without a clause. */
export const asSentence = (clause: string | undefined): string =>
  clause === undefined ? "" : ` ${clause[0]?.toUpperCase()}${clause.slice(1)}`;

export const unknownField = (name: string, known: readonly string[]): string =>
  `${quoted(name)} is not a known field; ${suggestion(name, known)}`;

/** A JSON value in an error message: its type, and the value if it is short. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `string ${JSON.stringify(shortened(value, 40))}`;
  if (typeof value === "number" && !Number.isFinite(value))
    return "a number too large to be read (beyond 1.8e308)";
  return `${typeof value} ${String(value)}`;
}
