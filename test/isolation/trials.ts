import type { Callable, Leaf } from "../support/generated/calls.ts";
import { textsIn } from "./state.ts";
import type { TriedKey } from "./tenants.ts";

/** The keys that a field is asked for, at one path or at all of them. */
export interface Trial {
  leaf: Leaf | undefined;
  keys: readonly TriedKey[];
}

export interface Answer {
  status: number;
  text: string;
}

/** A cursor is a position in a list: which page follows it depends on the list, not on what the cursor was made of. */
export const isCursor = (leaf: Leaf) => leaf.at(-1) === "after";

/** Each position of a field, and all of them together, with the keys that may fit there. */
export function* trials(field: Callable, keys: readonly TriedKey[]): Generator<Trial> {
  const leaves = field.leaves.filter((leaf) => !isCursor(leaf));
  if (field.leaves.length === 0) yield { leaf: undefined, keys: keys.slice(0, 1) };
  const together = leaves.length > 1 && leaves.length === field.leaves.length;
  for (const leaf of together ? [undefined, ...leaves] : leaves)
    yield { leaf, keys: keysFor(field, leaf, keys) };
}

/** The keys of the tables that the names speak of, and some others: all keys at all paths would take minutes. */
function keysFor({ name }: Callable, leaf: Leaf | undefined, keys: readonly TriedKey[]): TriedKey[] {
  const fitting = keys.filter(
    ({ table, form }) => table !== "" && (leaf === undefined || form.test(leaf.at(-1) ?? "")),
  );
  const words = [name, ...(leaf ?? [])].join(" ");
  const near = fitting.filter(({ table }) => nearTable(table).test(words));
  const others = fitting.filter((key) => !near.includes(key)).slice(0, 2);
  return [...near.slice(0, 4), ...others];
}

/** The names that speak of a table: its own in the singular, and for some others. */
const nearTable = (table: string) =>
  new RegExp(spokenOf[table] ?? table.replace(/ies$/, "y").replace(/s$/, "").replaceAll("_", "\\w*"), "i");

const spokenOf: Readonly<Record<string, string>> = {
  items: "item|folder|document|product|parent",
  item_contents: "item|folder|document|product",
  product_variants: "sku|variant",
  bulk_tasks: "task|operation|key",
};

interface PlacedError {
  path?: readonly (string | number)[];
}

/** Fields of one query are resolved side by side, so their errors come in any order: by their paths they have one. */
function errorsSorted(text: string): string {
  const { errors, ...answer } = JSON.parse(text) as { errors?: PlacedError[] };
  const placed = errors?.map((error) => ({ location: JSON.stringify(error.path ?? []), error }));
  placed?.sort((one, other) => one.location.localeCompare(other.location));
  return JSON.stringify({ ...answer, errors: placed?.map(({ error }) => error) });
}

/** An answer without what differs from request to request and from stranger to stranger. */
export function comparable({ status, text }: Answer, keys: readonly string[]): string {
  const longestFirst = [...keys].sort((one, other) => other.length - one.length);
  const plain = longestFirst
    .reduce((sum, key) => sum.replaceAll(JSON.stringify(key).slice(1, -1), "<key>"), errorsSorted(text))
    .replace(/ did you mean [^?]*\? It has /g, " it has ")
    // The names of what the strangers themselves have made by now differ.
    .replace(
      /(There is no (?:shape|piece) .{0,300}?\.)(?: Did you mean [^?]*\?| There are .*?\.)/g,
      "$1 <others>",
    )
    // A suggestion that is made of the key, and of nothing that is stored.
    .replace(/; use \\"[^"\\]*\\"/g, "; use <suggestion>")
    .replaceAll(/stranger-[ab]/g, "<tenant>")
    .replace(/"(?:startCursor|endCursor|cursor)":"[^"]*"/g, '"<cursor>"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/\d{8}T\d{6}Z/g, "<time>")
    .replace(/[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{24}/g, "<id>")
    .replace(/whsec_[\w+/=]+/g, "<secret>")
    .replace(/"[\w+/=-]{100,}"/g, '"<policy>"');
  return `${status} ${plain}`;
}

/** Where two texts part, with what is around it in both: a diff of long texts takes minutes. */
export function firstDifference(one: string, other: string): string[] | undefined {
  if (one === other) return undefined;
  let at = 0;
  while (one[at] === other[at]) at++;
  return [one, other].map((text) => text.slice(Math.max(0, at - 200), at + 100));
}

/** The texts that only the owner can know: those of its rows that occur in no request and not in `others`. */
export function secretsIn(owned: object, keys: readonly TriedKey[], others: object): Set<string> {
  const known = new Set([...keys.flatMap(({ real, twin }) => [real, twin]), ...textsIn(others)]);
  const common = /^(?![0-9a-f]{24}$)\w+$|^[a-z-]+$|^\d{4}-\d\d-\d\d|^text\/|^application\//;
  return new Set(textsIn(owned).filter((text) => !known.has(text) && !common.test(text)));
}
