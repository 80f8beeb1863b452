import { dumpKinds, kindsIn, type NaturalKey } from "@lading/schema/internal";
import { type Key, KeyTable, keyOf } from "./key-table.ts";
import type { Omission } from "./omission.ts";
import type { PartUses } from "./part-uses.ts";

/** An operation in a dump. */
export interface Operation {
  readonly intent: string;
  readonly [field: string]: unknown;
}

/** Marks a key shared by two records. */
const ambiguous = 2 ** 30 - 1;

/** The entities of one kind in a dump, numbered from 0: the positions of their operations, and their keys. */
export class Records {
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  /** Empty if the kind has no ids. */
  readonly ids: string[] = [];
  readonly #byId = new KeyTable();
  readonly #byKey: ReadonlyMap<NaturalKey["by"], { readonly table: KeyTable; readonly list: Key[] }>;

  constructor(keys: readonly NaturalKey["by"][]) {
    this.#byKey = new Map(keys.map((by) => [by, { table: new KeyTable(), list: [] }]));
  }

  get length(): number {
    return this.offsets.length;
  }

  numbers(): Iterable<number> {
    return this.offsets.keys();
  }

  /** Adds a record and returns its number. */
  add(offset: number, length: number, id: string | undefined, keys: readonly NaturalKey[]): number {
    const number = this.offsets.push(offset) - 1;
    this.lengths.push(length);
    if (id !== undefined) {
      this.ids.push(id);
      this.#byId.set(keyOf(id), number);
    }
    for (const { by, value } of keys) {
      const [key, { table, list }] = [keyOf(value), this.#byKey.get(by)!];
      table.set(key, table.get(key) === undefined ? number : ambiguous);
      list[number] = key;
    }
    return number;
  }

  /** Extends the last record by further lines. */
  extend(length: number): void {
    this.lengths[this.length - 1]! += length;
  }

  /** The end of the last record, in bytes. */
  get end(): number {
    return (this.offsets.at(-1) ?? 0) + (this.lengths.at(-1) ?? 0);
  }

  withId(id: string): number | undefined {
    return this.#byId.get(keyOf(id));
  }

  keyOf(by: NaturalKey["by"], number: number): Key | undefined {
    return this.#byKey.get(by)?.list[number];
  }

  /** True if at least one record has the natural key. */
  hasKey(by: NaturalKey["by"], key: Key): boolean {
    return this.#byKey.get(by)?.table.get(key) !== undefined;
  }

  /** Returns the record with a natural key; undefined if none or several have it. */
  withKey(by: NaturalKey["by"], key: Key): number | undefined {
    const number = this.#byKey.get(by)?.table.get(key);
    return number === ambiguous ? undefined : number;
  }
}

/** The kinds of entities that may be numerous; those of other kinds are held in memory. */
export const recordKinds = kindsIn(
  ...dumpKinds.filter((kind) => kind !== "settings" && kind !== "content-model"),
);
export type RecordKind = (typeof recordKinds)[number];

/** Operations that write parts of entities, each on its own line. */
export const partIntents = [
  ...["customer/group/update", "customer/update", "pricelist/selectedProductVariants/upsert"],
  ...["item/flow/stage/addItems", "item/paths/addAliases", "item/paths/setHistory"],
  "item/paths/addShortcuts",
] as const;
export type PartIntent = (typeof partIntents)[number];

/** The location of items in the tree. */
export interface Tree {
  /** The number of each item's folder; -1 for the root. */
  readonly parents: number[];
  /** The type and shape of each item. */
  readonly shapes: string[];
  /** The range of each folder's children, which are numbered consecutively. */
  readonly children: Map<number, { first: number; end: number }>;
  /** The product whose draft has the SKU. */
  readonly skus: KeyTable;
  /** SKUs of published products that their drafts no longer have, except those of deferred items. */
  readonly publishedSkus: { readonly key: Key; readonly number: number }[];
}

/** The position of an operation in the file, in bytes. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** The text of a dump, read by byte offset and length. */
export interface TextStore {
  read(offset: number, length: number): string;
}

/** A dump with indexes to find its entities. */
export interface IndexedDump {
  readonly spool: TextStore;
  readonly settings: Operation[];
  /** Stock locations whose rule is lifted while the dump writes items, because the stock predates the rule. */
  readonly lifted: Set<string>;
  readonly partUses: PartUses;
  readonly contentModel: Operation[];
  /** The omissions in the dump's report. */
  readonly omissions: readonly Omission[];
  /** Operations for aliases that the dump omits, because in a new tenant an item gets the path. */
  readonly omittedAliases: readonly Operation[];
  /** Operations that restrict flows, by flow identifier; they follow the items of flows. */
  readonly restrictions: Map<string, Operation>;
  readonly records: Readonly<Record<RecordKind, Records>>;
  readonly tree: Tree;
  /** Positions of the operations that follow all items because they wait for a SKU, by item. */
  readonly deferred: Map<number, TextRange[]>;
  /** The byte range of the operations per kind of part. */
  readonly parts: Map<PartIntent, { start: number; end: number }>;
}

const encoder = new TextEncoder();

export const bytesIn = (text: string): number => encoder.encode(text).length;

/** Splits the text at an offset into its lines; their lengths include their ends. */
export function* linesAt(start: number, text: string): Generator<[line: string, range: TextRange]> {
  let offset = start;
  for (const line of text.split("\n")) {
    const length = bytesIn(line) + 1;
    yield [line, { offset, length }];
    offset += length;
  }
}

/** Parses an operation from its line, which may end with a comma. */
const operationOf = (line: string): Operation => JSON.parse(withoutComma(line));

export const withoutComma = (line: string) => (line.endsWith(",") ? line.slice(0, -1) : line);

/** The root folder. */
export const rootId = "{{ defaults.rootItemId }}";

/** Reads the operations of an entity. Those of items have ids, and no `_ref`. */
export function operationsOf(dump: IndexedDump, kind: RecordKind, number: number): Operation[] {
  const operations = textOf(dump, kind, number).split("\n").map(operationOf);
  if (kind !== "item") return operations;
  const later = dump.deferred.get(number) ?? [];
  return [
    ...operations.map((operation) => ofItem(dump, number, operation)),
    ...later.map((range) => deferredOperation(dump, { number, ...range })),
  ];
}

/** Reads a deferred operation of an item. */
export const deferredOperation = (
  dump: IndexedDump,
  { number, offset, length }: TextRange & { readonly number: number },
): Operation => ofItem(dump, number, operationOf(dump.spool.read(offset, length - 1)));

const ofItem = (
  { records }: IndexedDump,
  number: number,
  { _ref: _, ...operation }: Operation,
): Operation => ({
  ...operation,
  itemId: records.item.ids[number]!,
});

/** Reads the lines of an entity, without deferred ones and without the last line feed. */
export function textOf({ spool, records }: IndexedDump, kind: RecordKind, number: number): string {
  const { offsets, lengths } = records[kind];
  return withoutComma(spool.read(offsets[number]!, lengths[number]! - 1));
}

/** Bytes per read of parts. */
const chunk = 1 << 20;

/** Reads the operations of one kind of part, in chunks. */
export function* partOperations({ spool, parts }: IndexedDump, intent: PartIntent): Generator<Operation> {
  const { start, end } = parts.get(intent) ?? { start: 0, end: 0 };
  for (let offset = start; offset < end; ) {
    let length = Math.min(chunk, end - offset);
    let text = spool.read(offset, length);
    // A chunk ends with a whole line, so characters cut at its end don't matter.
    for (; offset + length < end && !text.includes("\n"); text = spool.read(offset, length))
      length = Math.min(length * 2, end - offset);
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const line of whole.split("\n")) if (line !== "") yield operationOf(line);
    offset += bytesIn(whole);
  }
}

/** True for a temporary SKU, which a product has until its own are free. */
export const isTemporary = (sku: string): boolean => /^temporary-[0-9a-f]{24}$/.test(sku);

/** The SKUs an operation gives a product, without temporary ones; undefined if it sets none. */
export function skusOf({ variants }: Operation): string[] | undefined {
  if (!Array.isArray(variants)) return undefined;
  return variants.map(({ sku }) => String(sku)).filter((sku) => !isTemporary(sku));
}
