import { nearest } from "@lading/schema";

/** Most names that are listed. */
const most = 10;

/** What there is instead of a name that does not exist, the nearest first: `did you mean "eur"? It has "eur", "usd"`. */
export function alternatives(asked: string, known: readonly string[]): string {
  if (known.length === 0) return "it has none";
  const near = nearest(asked, known);
  const shown = [...near, ...known.filter((name) => !near.includes(name))].slice(0, most);
  const more = known.length > shown.length ? ` and ${known.length - shown.length} more` : "";
  const names = `${shown.map((name) => `"${name}"`).join(", ")}${more}`;
  return near[0] === undefined ? `it has ${names}` : `did you mean "${near[0]}"? It has ${names}`;
}
