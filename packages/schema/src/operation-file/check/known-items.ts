/** At least this many names are remembered, and at most twice as many. */
const generation = 5_000;
/** Longer names are not remembered. */
const longest = 200;

/**
 * The shapes of the items the file wrote recently, by the names later operations may use for them. Memory is
 * bounded: the oldest names are forgotten, which only costs a warning.
 */
export interface KnownItems {
  recent: Map<ItemName, string>;
  older: Map<ItemName, string>;
  /** Entries not yet in the maps: the first look-up moves them there, and most files have none. */
  written: [name: ItemName, shape: string | undefined][];
}

export const knownItems = (): KnownItems => ({ recent: new Map(), older: new Map(), written: [] });

/** An item's name: the index of the operation that wrote it, or a key of it. */
export type ItemName = number | string;

export const itemName = {
  itemId: (id: string) => `i${id}`,
  resourceIdentifier: (identifier: string) => `r${identifier}`,
  sku: (sku: string) => `s${sku}`,
};

/** The identifier of an item's shape, or of the shape of a variant's product, if remembered. */
export function shapeOf(items: KnownItems, name: ItemName): string | undefined {
  flush(items);
  return items.recent.get(name) ?? items.older.get(name);
}

/** Records the shape of the item with this name; undefined if its shape is unknown. */
export function rememberItem(items: KnownItems, name: ItemName, shape: string | undefined): void {
  items.written.push([name, shape]);
  if (items.written.length < 2 * generation) return;
  if (items.recent.size + items.older.size > 0) flush(items);
  else items.written = items.written.slice(generation);
}

function flush(items: KnownItems): void {
  for (const [name, shape] of items.written) enter(items, name, shape);
  items.written = [];
}

function enter(items: KnownItems, name: ItemName, shape: string | undefined): void {
  if (shape === undefined || (typeof name === "string" && name.length > longest)) {
    items.recent.delete(name);
    items.older.delete(name);
    return;
  }
  items.recent.set(name, shape);
  if (items.recent.size < generation) return;
  items.older = items.recent;
  items.recent = new Map();
}
