import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { operation } from "../fields.ts";
import { type Operation, type PartIntent, partOperations, type RecordKind } from "../indexed-dump.ts";
import { KeyTable, keyOf } from "../key-table.ts";

/** A part of an entity. */
export interface Part {
  readonly key: string;
  readonly value: string;
  /** The part's name in the summary. */
  readonly name: string;
  /** An operation that writes only this part. */
  readonly write: Operation;
}

export interface PartDifference {
  readonly change: "created" | "updated" | "deleted";
  readonly part: Part;
  /** True for an equal part that other operations may remove. */
  readonly isUncertain?: boolean;
}

/** The tenant an operation belongs to. */
export type Side = "from" | "to";

/** Splits an operation into the parts it writes. */
type Split = (operation: Operation, side: Side) => readonly Part[];

/**
 * Finds the parts that differ: those of `to` in order, then those that exist only in `from`. Keeps a key and two
 * numbers in memory per part of `from`.
 */
export function* partDifferences(
  { from, to, translate }: Pick<Comparison, "from" | "to" | "translate">,
  intent: PartIntent,
  split: Split,
  isUncertain: (part: Part) => boolean = () => false,
): Generator<PartDifference> {
  const [numbers, values] = [new KeyTable(), new KeyTable()];
  const stored = () => partOperations(from, intent).flatMap((operation) => split(operation, "from"));
  let count = 0;
  for (const { key, value } of stored()) {
    values.set(keyOf(key, value), count);
    numbers.set(keyOf(key), count++);
  }
  const seen = new Uint8Array(count);
  for (const part of partOperations(to, intent).flatMap((write) => split(translate(write), "to"))) {
    const number = numbers.get(keyOf(part.key));
    if (number !== undefined) seen[number] = 1;
    if (number === undefined) yield { change: "created", part };
    else if (values.get(keyOf(part.key, part.value)) !== number) yield { change: "updated", part };
    else if (isUncertain(part)) yield { change: "updated", part, isUncertain: true };
  }
  let number = 0;
  for (const part of stored()) if (seen[number++] === 0) yield { change: "deleted", part };
}

const text = (value: unknown) => JSON.stringify(value ?? null);

/** Writes the differing parents of customers or groups, once all customers and groups are written. */
export function* parentDifferences(
  comparison: Comparison,
  intent: "customer/update" | "customer/group/update",
): Differences {
  const [noun, kind] =
    intent === "customer/update"
      ? (["customer", "customer"] as const)
      : (["customer group", "customerGroup"] as const);
  const differences = () =>
    partDifferences(comparison, intent, (write) => {
      const name = String(write.identifier);
      return [{ key: name, value: text(write.parents), name, write }];
    });
  // Cleared first, so that no intermediate step has a cycle, and deleted parents are not in use.
  for (const { change, part } of differences()) {
    if (change === "created") continue;
    const isKept = isEntityKept(comparison, kind, part.name);
    if (!isKept && !comparison.deletes) continue;
    if (isKept) comparison.changes.note(noun, "updated", part.name);
    yield operation(intent, { identifier: part.name, parents: [] });
  }
  for (const { change, part } of differences()) if (change !== "deleted") yield part.write;
}

/** True if the entity of `from` with this identifier has a match in `to`. */
const isEntityKept = ({ from, matches }: Comparison, kind: RecordKind, identifier: string): boolean =>
  matches[kind].isKept(from.records[kind].withKey("identifier", keyOf(identifier)));

interface Selected {
  readonly sku: string;
  readonly priceVariants?: unknown;
}

const selectionIntent = "pricelist/selectedProductVariants/upsert";

/** SKUs that price lists lose while products are written. */
export interface LostSkus {
  /** SKUs that move to another product. */
  readonly taken: ReadonlySet<string>;
  /** SKUs that a product temporarily gives up. */
  readonly returning: ReadonlySet<string>;
}

/** Writes the selected variants of price lists that differ or were lost. */
export function* selectionDifferences(comparison: Comparison, lost: LostSkus): Differences {
  const { taken, returning } = lost;
  const split = (write: Operation, side: Side) =>
    (write.variants as Selected[])
      .filter(({ sku }) => side === "to" || !taken.has(sku))
      .map((variant) => selectionOf(String(write.identifier), variant));
  const namesOf = ({ key }: Part) => key.split("\0") as [identifier: string, sku: string];
  if (!comparison.deletes && taken.size + returning.size > 0) yield* keptSelections(comparison, lost);
  const isLost = (part: Part) => returning.has(namesOf(part)[1]);
  for (const difference of partDifferences(comparison, selectionIntent, split, isLost)) {
    const { change, part, isUncertain = false } = difference;
    const [identifier, sku] = namesOf(part);
    if (change === "deleted" && !isEntityKept(comparison, "priceList", identifier)) continue;
    if (!isUncertain) comparison.changes.note("selected variant", change, part.name);
    yield change === "deleted"
      ? operation("pricelist/selectedProductVariants/remove", { identifier, skus: [sku] })
      : part.write;
  }
}

/** Restores returning SKUs to kept price lists that exist only in `from`; counts the others as lost. */
function* keptSelections(comparison: Comparison, { taken, returning }: LostSkus): Differences {
  for (const { identifier, variants } of partOperations(comparison.from, selectionIntent))
    for (const variant of variants as Selected[]) {
      const { sku } = variant;
      const isLost = taken.has(sku) || returning.has(sku);
      if (!isLost || isEntityKept(comparison, "priceList", String(identifier))) continue;
      const { name, write } = selectionOf(String(identifier), variant);
      if (taken.has(sku)) comparison.changes.note("selected variant", "deleted", name);
      else yield write;
    }
}

function selectionOf(identifier: string, { sku, priceVariants }: Selected): Part {
  const variants = [{ priceVariants: priceVariants ?? [], sku }];
  return {
    ...{ key: `${identifier}\0${sku}`, name: `${sku} in ${identifier}`, value: text(priceVariants) },
    write: operation(selectionIntent, { identifier, variants }),
  };
}
