import { slug } from "@lading/schema";
import type { ItemAliasRow } from "../../../storage/collections/item-aliases.ts";
import { namesAtSegments } from "../../../storage/pages/numbered-segments.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";

/** The highest number that is put behind a segment. */
const mostNumber = 9;

/**
 * Finds aliases whose paths items get in a new tenant. A segment has a number behind it because of an item that has
 * another name by now, or of the alias itself; there, where both are missing, it has a lower one or none.
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
      wanted.map(({ alias: { language, path }, segments }) => ({ language, path, segments })),
    ),
  );
  const taking = found.filter(({ number, name }) => slug(name) === wanted[number]?.base);
  return new Set(taking.flatMap(({ number }) => wanted[number]?.alias ?? []));
}

/** The slugs that may give an item this path, each with the segments of items that may get it. */
function basesOf(path: string): { base: string; segments: string[] }[] {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const [, base, number] = /^(.+)-([2-9])$/.exec(last) ?? [];
  const bases = [{ base: last, number: 1 }, ...(base ? [{ base, number: Number(number) }] : [])];
  return bases.map(({ base, number }) => ({
    base,
    segments: Array.from({ length: mostNumber - number }, (_, i) => `${base}-${number + 1 + i}`),
  }));
}
