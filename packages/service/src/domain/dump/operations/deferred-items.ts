import type { IsMoved } from "../../../storage/pages/moved-skus.ts";
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

/** A published version written after all items. */
interface Publication {
  readonly itemId: string;
  readonly language: string;
  /** The SKUs of its variants that have since been deleted. */
  readonly left: readonly string[];
  /** The SKUs of its other variants. */
  readonly kept: readonly string[];
  /** The preceding publication of the same item. */
  readonly before: Publication | undefined;
}

/**
 * Products with SKUs that moved between products, now or when they were published. Each is created without these SKUs,
 * or with a temporary one if it has no others. Its versions are written after all items, so that a SKU moves from
 * version to version as it did in the tenant.
 */
export class DeferredItems {
  readonly #isMoved: IsMoved;
  readonly #temporarySkusOf: TemporarySkusOf;
  /** The items in file order, each with a temporary SKU. */
  readonly #temporarySkus = new Map<string, string>();
  readonly #publications: Publication[] = [];

  constructor(isMoved: IsMoved, temporarySkusOf: TemporarySkusOf) {
    this.#isMoved = isMoved;
    this.#temporarySkusOf = temporarySkusOf;
  }

  /** True if an item's versions are deferred. */
  has({ item, variants, published }: DumpedItem): boolean {
    const versions = [variants, ...published.map((content) => content.variants ?? [])];
    return versions.some((copies) => copies.some(({ sku }) => this.#isMoved(sku, item.id)));
  }

  /** Finds temporary SKUs for the deferred items. */
  async name(items: readonly DumpedItem[]): Promise<void> {
    const ids = items.filter((item) => this.has(item)).map(({ item }) => item.id);
    for (const [id, sku] of await this.#temporarySkusOf(ids)) this.#temporarySkus.set(id, sku);
  }

  /** The operation that creates a deferred item; call `name` first. */
  begin(item: DumpedItem, { published, drafts }: Versions): Operation[] {
    const first = published[0] ?? drafts[0];
    if (first === undefined) return [];
    let before: Publication | undefined;
    for (const { language } of published) {
      before = { itemId: item.item.id, language, ...this.#movedIn(item, language), before };
      this.#publications.push(before);
    }
    const lasting = item.variants.map(({ sku }) => sku).filter((sku) => !this.#isMoved(sku, item.item.id));
    return [creation(item, this.#with(item, first, new Set(lasting)), false)];
  }

  #movedIn({ published, variants }: DumpedItem, language: string): Pick<Publication, "left" | "kept"> {
    const lasting = new Set(variants.map(({ id }) => id));
    const copies = published.find((content) => content.language === language)?.variants ?? [];
    const skus = (isLasting: boolean) =>
      copies.filter(({ id }) => lasting.has(id) === isLasting).map(({ sku }) => sku);
    return { left: skus(false), kept: skus(true) };
  }

  /** A version with only some of its variants. */
  #with({ item }: DumpedItem, version: Version, skus: ReadonlySet<string>): Version {
    const { variants = [] } = version;
    const kept = variants.filter(({ sku }) => skus.has(String(sku)));
    const temporary = { ...variants[0], sku: this.#temporarySkus.get(item.id) };
    return { ...version, variants: kept.length > 0 ? kept : [temporary] };
  }

  /** The published versions, ordered so that versions release a SKU before another one takes it. */
  publications(): readonly Publication[] {
    return inOrder(this.#publications);
  }

  /** Items whose drafts are written after all publications. */
  get ids(): readonly string[] {
    return [...this.#temporarySkus.keys()];
  }

  /** The operations for one published version; afterwards it releases SKUs that others may take. */
  publish(item: DumpedItem, { published }: Versions, { language, left, kept }: Publication): Operation[] {
    const version = published.find((other) => other.language === language);
    if (version === undefined) return [];
    const operations = [update(item, version, true), publication(item, version)];
    if (left.length > 0) operations.push(update(item, this.#with(item, version, new Set(kept)), false));
    return operations;
  }
}

/**
 * Orders publications so that each follows those that release its SKUs. Iterative, because the recursion could be deep.
 */
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
