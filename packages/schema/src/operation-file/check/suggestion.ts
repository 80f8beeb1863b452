import { nearest } from "../../problems/nearest.ts";

const longestName = 60;

export const shorten = (name: string) =>
  name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
export const quoted = (name: string) => JSON.stringify(shorten(name));

/** `did you mean "b"?`, or undefined when nothing is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const candidates = name.length <= longestName ? nearest(name, known) : [];
  return candidates.length === 0 ? undefined : `did you mean ${candidates.map(quoted).join(", ")}?`;
}

/** What a name that is not known may mean, or else what is known. */
export function suggestion(name: string, known: readonly string[]): string {
  return didYouMean(name, known) ?? `known: ${known.map(quoted).join(", ")}`;
}
