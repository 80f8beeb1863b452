import { slug } from "@lading/schema/internal";
import type { ItemAliasRow } from "../../../storage/collections/item-aliases.ts";
import { namesAtSegments } from "../../../storage/pages/numbered-segments.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";

/** The highest number appended to a segment. */
const mostNumber = 9;

/**
 * Finds aliases whose paths items would get in a new tenant. A segment ends with a number or an id because of an item
 * that has since been renamed, or because of the alias itself; without these, the new item gets a lower number or none.
 */
export async function takenAliases(
  { tenant, page }: DumpedTenant,
  aliases: readonly ItemAliasRow[],
): Promise<ReadonlySet<ItemAliasRow>> {
  const wanted = aliases.flatMap((alias) => basesOf(alias.path).map((base) => ({ alias, ...base })));
  const found = await page((queries) =>
    namesAtSegments(
      queries,
      tenant,
      wanted.map(({ alias: { language, path }, base, segments }) => ({ language, path, base, segments })),
    ),
  );
  const holders = Map.groupBy(
    found.filter(({ number, name, itemId }) => (slug(name) || itemId) === wanted[number]?.base),
    ({ number }) => number,
  );
  const taken = wanted.filter(({ segments, id }, number) => {
    const held = holders.get(number) ?? [];
    if (id === undefined) return held.length > 0;
    return (
      held.some(({ itemId }) => itemId === id) &&
      segments.every((segment) => held.some((holder) => holder.segment === segment))
    );
  });
  return new Set(taken.map(({ alias }) => alias));
}

interface Base {
  /** A slug that may give an item the path. */
  readonly base: string;
  /** The segments of items with this slug that may get the path; with `id`, all of them must be taken. */
  readonly segments: readonly string[];
  /** The item that gets the path if all `segments` are taken. */
  readonly id?: string;
}

function basesOf(path: string): Base[] {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const [, base = "", end = ""] = /^(.+)-([2-9]|[0-9a-f]{24})$/.exec(last) ?? [];
  const whole = { base: last, segments: numbered(last, 2) };
  if (base === "") return [whole];
  const isNumber = end.length === 1;
  return [
    whole,
    isNumber
      ? { base, segments: numbered(base, Number(end) + 1) }
      : { base, segments: [base, ...numbered(base, 2)], id: end },
  ];
}

/** The base with the numbers from `first` on. */
const numbered = (base: string, first: number): string[] =>
  Array.from({ length: mostNumber - first + 1 }, (_, i) => `${base}-${first + i}`);
