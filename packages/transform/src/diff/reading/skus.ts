import { deferredOperation, type IndexedDump, linesAt, type Operation, skusOf } from "../indexed-dump.ts";
import { keyOf } from "../key-table.ts";

export class SkuReading {
  readonly #dump: IndexedDump;
  /** The SKUs that the last item has after its operations so far, and those that it had before. */
  #draft: readonly string[] = [];
  #earlier: readonly string[] = [];

  constructor(dump: IndexedDump) {
    this.#dump = dump;
  }

  add(operation: Operation): void {
    const skus = skusOf(operation);
    if (skus === undefined) return;
    this.#earlier = [...this.#earlier, ...this.#draft];
    this.#draft = skus;
  }

  /** Notes the SKUs of the last item, to which no more operations belong. Returns how many its draft has lost. */
  note(): number {
    const { records, tree } = this.#dump;
    const number = records.item.length - 1;
    const draft = new Set(this.#draft);
    const lost = [...new Set(this.#earlier).difference(draft)];
    for (const sku of draft) tree.skus.set(keyOf(sku), number);
    for (const sku of lost) tree.publishedSkus.push({ key: keyOf(sku), number });
    this.#draft = [];
    this.#earlier = [];
    return lost.length;
  }

  /** Notes the SKUs of products whose drafts come last. */
  end(): void {
    const { records, deferred, tree } = this.#dump;
    const last = records.item.length - 1;
    if (deferred.has(last)) this.#deferAll(last);
    else this.note();
    for (const [number, ranges] of deferred)
      for (const sku of skusOf(deferredOperation(this.#dump, { number, ...ranges.at(-1)! })) ?? [])
        tree.skus.set(keyOf(sku), number);
  }

  /** Takes what follows the first operation of the last item for deferred, as the rest of it is. */
  #deferAll(number: number): void {
    const { records, deferred, spool } = this.#dump;
    const [offset, length] = [records.item.offsets[number]!, records.item.lengths[number]!];
    const lines = linesAt(offset, spool.read(offset, length - 1));
    const [first, ...others] = Array.from(lines, ([, location]) => location);
    records.item.lengths[number] = first!.length;
    deferred.set(number, [...others, ...deferred.get(number)!]);
  }
}
