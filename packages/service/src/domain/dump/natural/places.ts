import { type ItemName, namesakes } from "../../../storage/pages/natural-keys.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";

/** The most items whose places are kept, unless those of one name are more. */
const mostKept = 200_000;

/** The items of one name in a language, by their folders: each has the number of those before it there. */
type Shelves = Map<string, Map<string, number>>;

/**
 * The places of items among those of the same name in their folder. Names that several items have are kept, so that
 * each is read once, however many pages its items are on.
 */
export class Places {
  readonly #source: Pick<DumpedTenant, "tenant" | "page">;
  readonly #kept = new Map<string, Shelves>();
  #items = 0;

  constructor(source: Pick<DumpedTenant, "tenant" | "page">) {
    this.#source = source;
  }

  /** Finds the number of items that come before each one. */
  async of<Item extends ItemName>(items: readonly Item[]): Promise<(readonly [Item, number])[]> {
    const read = await this.#read(items.filter((item) => !this.#kept.has(keyOf(item))));
    const places = items.map((item) => {
      const key = keyOf(item);
      const shelves: Shelves = this.#kept.get(key) ?? read.get(key) ?? new Map();
      const shelf = shelves.get(item.parentId);
      return [item, shelf === undefined ? 0 : placeOn(shelf, item.id)] as const;
    });
    this.#keep(read);
    return places;
  }

  async #read(items: readonly ItemName[]): Promise<Map<string, Shelves>> {
    const names = [...new Map(items.map((item) => [keyOf(item), item])).values()];
    const read = new Map<string, Shelves>();
    if (names.length === 0) return read;
    const { tenant, page } = this.#source;
    for (const row of await page((queries) => namesakes(queries, tenant.id, names))) {
      const shelves: Shelves = read.get(keyOf(row)) ?? new Map();
      shelves.set(row.parentId, new Map(row.ids.split(" ").map((id, place) => [id, place])));
      read.set(keyOf(row), shelves);
    }
    return read;
  }

  #keep(read: ReadonlyMap<string, Shelves>): void {
    for (const [key, shelves] of read) {
      const size = [...shelves.values()].reduce((sum, shelf) => sum + shelf.size, 0);
      if (size < 2) continue;
      if (this.#items + size > mostKept) {
        this.#kept.clear();
        this.#items = 0;
      }
      this.#kept.set(key, shelves);
      this.#items += size;
    }
  }
}

const keyOf = ({ language, name }: Pick<ItemName, "language" | "name">): string => `${language} ${name}`;

/** Finds the place of an item: one that came after its name was read is the last. */
function placeOn(shelf: Map<string, number>, id: string): number {
  const place = shelf.get(id) ?? shelf.size;
  shelf.set(id, place);
  return place;
}
