import { didYouMeanOneOf, nearest, quoted } from "@lading/schema";

/** Most names that are listed. */
const most = 10;

/** Lists the names that exist, the nearest to a missing one first: `did you mean "eur"? It has "eur", "usd"`. */
export function alternatives(missing: string, names: readonly string[]): string {
  if (names.length === 0) return "it has none";
  const near = nearest(missing, names);
  const listed = [...near, ...names.filter((name) => !near.includes(name))].slice(0, most);
  const more = names.length > listed.length ? ` and ${names.length - listed.length} more` : "";
  const list = `${listed.map(quoted).join(", ")}${more}`;
  const question = didYouMeanOneOf(near.slice(0, 1));
  return question === undefined ? `it has ${list}` : `${question} It has ${list}`;
}
