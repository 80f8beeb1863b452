import type { Operation } from "../operation.ts";
import {
  creation,
  type DumpedItem,
  publication,
  update,
  type Version,
  type Versions,
} from "./item-operations.ts";
import type { TemporarySkusOf } from "./temporary-skus.ts";

/** A published version that is written after all items. */
interface Publication {
  readonly itemId: string;
  readonly language: string;
  /** The SKUs of its variants that are gone since. */
  readonly left: readonly string[];
  /** The SKUs of its other variants. */
  readonly kept: readonly string[];
  /** The publication of the same item that comes before it. */
  readonly before: Publication | undefined;
}

/**
 * Products that have, or had when they were published, SKUs that moved. Each is made without these SKUs, with a
 * temporary one if it has no others; its versions are written after all items, and a SKU that moved goes from version
 * to version as it went in the tenant.
 */
export class DeferredItems {
  readonly #moved: ReadonlySet<string>;
  readonly #temporarySkusOf: TemporarySkusOf;
  /** The items, in the order of the file, each with a SKU for the time in which it has none of its own. */
  readonly #temporarySkus = new Map<string, string>();
  readonly #publications: Publication[] = [];

  constructor(moved: ReadonlySet<string>, temporarySkusOf: TemporarySkusOf) {
    this.#moved = moved;
    this.#temporarySkusOf = temporarySkusOf;
  }

  /** True if the versions of an item have to wait. */
  has({ variants, published }: DumpedItem): boolean {
    if (this.#moved.size === 0) return false;
    const versions = [variants, ...published.map((content) => content.variants ?? [])];
    return versions.some((copies) => copies.some(({ sku }) => this.#moved.has(sku)));
  }

  /** Finds the temporary SKUs of those items whose versions have to wait. */
  async name(items: readonly DumpedItem[]): Promise<void> {
    const ids = items.filter((item) => this.has(item)).map(({ item }) => item.id);
    for (const [id, sku] of await this.#temporarySkusOf(ids)) this.#temporarySkus.set(id, sku);
  }

  /** The operation that makes an item, named before, whose versions have to wait. */
  begin(item: DumpedItem, { published, drafts }: Versions): Operation[] {
    const first = published[0] ?? drafts[0];
    if (first === undefined) return [];
    let before: Publication | undefined;
    for (const { language } of published) {
      before = { itemId: item.item.id, language, ...this.#movedIn(item, language), before };
      this.#publications.push(before);
    }
    const lasting = item.variants.map(({ sku }) => sku).filter((sku) => !this.#moved.has(sku));
    return [creation(item, this.#with(item, first, new Set(lasting)), false)];
  }

  #movedIn({ published, variants }: DumpedItem, language: string): Pick<Publication, "left" | "kept"> {
    const lasting = new Set(variants.map(({ id }) => id));
    const copies = published.find((content) => content.language === language)?.variants ?? [];
    const skus = (isLasting: boolean) =>
      copies.filter(({ id }) => lasting.has(id) === isLasting).map(({ sku }) => sku);
    return { left: skus(false), kept: skus(true) };
  }

  /** A version with some of its variants alone. */
  #with({ item }: DumpedItem, version: Version, skus: ReadonlySet<string>): Version {
    const { variants = [] } = version;
    const kept = variants.filter(({ sku }) => skus.has(String(sku)));
    const temporary = { ...variants[0], sku: this.#temporarySkus.get(item.id) };
    return { ...version, variants: kept.length > 0 ? kept : [temporary] };
  }

  /** The published versions, each SKU first in those that it left. */
  publications(): readonly Publication[] {
    return inOrder(this.#publications);
  }

  /** The items whose drafts are written after all publications. */
  get ids(): readonly string[] {
    return [...this.#temporarySkus.keys()];
  }

  /** The operations of one published version, which gives up the SKUs that others may get. */
  publish(item: DumpedItem, { published }: Versions, { language, left, kept }: Publication): Operation[] {
    const version = published.find((other) => other.language === language);
    if (version === undefined) return [];
    const operations = [update(item, version, true), publication(item, version)];
    if (left.length > 0) operations.push(update(item, this.#with(item, version, new Set(kept)), false));
    return operations;
  }
}

/** Sorts publications so that each comes after those that a SKU of it left, without a recursion that may be deep. */
function inOrder(publications: readonly Publication[]): readonly Publication[] {
  const leaving = new Map<string, Publication[]>();
  for (const one of publications)
    for (const sku of one.left) leaving.set(sku, [...(leaving.get(sku) ?? []), one]);
  const ordered = new Set<Publication>();
  const seen = new Set<Publication>();
  const stack = publications.toReversed();
  for (let one = stack.at(-1); one !== undefined; one = stack.at(-1)) {
    const isNew = !seen.has(one);
    seen.add(one);
    const earlier = [one.before ?? [], ...one.kept.map((sku) => leaving.get(sku) ?? [])].flat();
    const waiting = isNew ? earlier.filter((other) => !seen.has(other)) : [];
    if (waiting.length > 0) stack.push(...waiting.toReversed());
    else {
      stack.pop();
      ordered.add(one);
    }
  }
  return [...ordered];
}
