import { didYouMeanOneOf, nearest, someOf } from "@lading/schema/internal";

/** Lists the names that exist, the nearest to a missing one first: `did you mean "eur"? It has "eur", "usd"`. */
export function alternatives(missing: string, names: readonly string[]): string {
  if (names.length === 0) return "it has none";
  const near = nearest(missing, names);
  const list = someOf([...near, ...names.filter((name) => !near.includes(name))]);
  const question = didYouMeanOneOf(near.slice(0, 1));
  return question === undefined ? `it has ${list}` : `${question} It has ${list}`;
}
