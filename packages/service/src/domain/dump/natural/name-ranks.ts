import { type ItemName, lastSorts, namesakes } from "../../../storage/pages/natural-keys.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";

/** Maximum number of namesakes per query; at most twice as many are kept in memory. */
const mostRead = 100_000;

/** A range of a folder's order, both ends included. */
interface Span {
  readonly from: string;
  readonly to: string;
}

/**
 * The ranks of items among the items of the same name in their folder. Reads a whole folder and keeps it, in parts if
 * it has too many items, so that it is not read again for each page.
 */
export class NameRanks {
  readonly #source: Pick<DumpedTenant, "tenant" | "page">;
  readonly #most: number;
  /** The folder ranges in memory. */
  readonly #spans = new Map<string, Span>();
  /** Ranks other than 0, by item id. */
  readonly #kept = new Map<string, number>();

  constructor(source: Pick<DumpedTenant, "tenant" | "page">, most: number = mostRead) {
    this.#source = source;
    this.#most = most;
  }

  /** Finds the number of namesakes before each item. */
  async of<Item extends ItemName>(items: readonly Item[]): Promise<(readonly [Item, number])[]> {
    const ranks: (readonly [Item, number])[] = [];
    for (let rest = items; ; ) {
      const unread: Item[] = [];
      for (const item of rest)
        if (isIn(this.#spans.get(item.parentId), item)) ranks.push([item, this.#kept.get(item.id) ?? 0]);
        else unread.push(item);
      if (unread.length === 0) return ranks;
      await this.#read(unread);
      rest = unread;
    }
  }

  /** Reads the items' folders: at least a range of the first one, from its start or its first requested item on. */
  async #read(items: readonly ItemName[]): Promise<void> {
    const asked = new Map<string, Span>();
    for (const { parentId, sort } of items) {
      const isBehind = sort > (this.#spans.get(parentId)?.to ?? sort);
      const { from, to } = asked.get(parentId) ?? { from: isBehind ? sort : "", to: sort };
      asked.set(parentId, { from: isBehind ? least(from, sort) : "", to: most(to, sort) });
    }
    if (this.#kept.size >= this.#most) {
      this.#kept.clear();
      this.#spans.clear();
    }
    const { tenant, page } = this.#source;
    const starts = new Map([...asked].map(([parentId, { from }]) => [parentId, from]));
    const [found, ends] = await page((queries) =>
      Promise.all([
        namesakes(queries, tenant.id, starts, this.#most),
        lastSorts(queries, tenant.id, [...asked.keys()]),
      ]),
    );
    for (const { id, before } of found) this.#kept.set(id, before);
    const ending = new Map(ends.map(({ parentId, sort }) => [parentId, sort]));
    const last = found.length < this.#most ? undefined : found.at(-1);
    for (const [parentId, { from, to }] of asked) {
      const isCut = parentId === last?.parentId;
      this.#spans.set(parentId, { from, to: isCut ? last.sort : most(to, ending.get(parentId) ?? "") });
      if (isCut) return;
    }
  }
}

const least = (a: string, b: string): string => (a < b ? a : b);
const most = (a: string, b: string): string => (a > b ? a : b);

const isIn = (span: Span | undefined, { sort }: ItemName): boolean =>
  span !== undefined && span.from <= sort && sort <= span.to;
