import type { RowPage } from "../../ui/table/paged-rows.ts";
import type { Hit } from "./documents.ts";

/** Something that a search found, once, with what matched. */
export interface Found extends Hit {
  matches: Match[];
}

interface Match {
  field: string;
  value: string;
}

/** Reads the hits after a cursor: the service ends a page early after scanning many values. */
type ReadHits = (first: number, after: string) => Promise<Omit<RowPage<Hit>, "totalCount">>;

/** A page as it was last read. */
interface ReadPage {
  endCursor: string | null;
  shown: ReadonlySet<string>;
}

/**
 * Reads a search page by page, each entity once: on the first page with a hit of it. The service answers an entity once
 * for each field, in each language, so its hits can be pages apart.
 */
export function mergedHits(pageSize: number, text: string) {
  /** The pages in their order; each begins after the end of the one before. */
  let pages: readonly ReadPage[] = [];
  return async (after: string, read: ReadHits): Promise<RowPage<Found>> => {
    const number = after === "" ? 0 : pages.findIndex(({ endCursor }) => endCursor === after) + 1;
    const earlier = pages.slice(0, number);
    const found = new Map<string, Found>();
    for (let cursor = after; ; ) {
      const { rows, hasNextPage, endCursor } = await read(pageSize - found.size, cursor);
      for (const hit of rows) {
        const id = `${hit.kind} ${hit.key}`;
        if (!found.has(id) && !earlier.some(({ shown }) => shown.has(id)))
          found.set(id, { ...hit, matches: matchesOf(hit, text) });
      }
      if (!hasNextPage || endCursor === null || found.size === pageSize) {
        const isNext = after === "" || pages[number - 1]?.endCursor === after;
        const later = pages[number]?.endCursor === endCursor ? pages.slice(number + 1) : [];
        if (isNext)
          pages = [...pages.slice(0, number), { endCursor, shown: new Set(found.keys()) }, ...later];
        return { rows: [...found.values()], hasNextPage, endCursor };
      }
      cursor = endCursor;
    }
  };
}

/** The fields of an entity that have the text: that of the hit first, then those known of the rest. */
function matchesOf(hit: Hit, text: string): Match[] {
  const { item, variant, customer, order, topic } = hit;
  const known: [string, string | null | undefined][] = [
    [hit.field, hit.value],
    ["path", item?.tree?.path],
    ["name", (item ?? variant ?? topic)?.displayName?.name ?? hit.name],
    ["sku", variant?.sku],
    ["identifier", customer?.identifier],
    ["email", customer?.email],
    ["resourceIdentifier", item?.resourceIdentifier ?? order?.reference],
    ["externalReference", (item ?? variant)?.externalReference],
  ];
  const matches = new Map<string, string>();
  for (const [field, value] of known)
    if (value && !matches.has(field) && value.toLowerCase().includes(text.toLowerCase()))
      matches.set(field, value);
  return [...matches].map(([field, value]) => ({ field, value }));
}
