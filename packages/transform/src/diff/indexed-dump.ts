import { dumpKinds, kindsIn, type NaturalKey } from "@lading/schema";
import { type Key, KeyTable, keyOf } from "./key-table.ts";
import type { Omission } from "./omission.ts";

/** An operation as a dump has it. */
export interface Operation {
  readonly intent: string;
  readonly [field: string]: unknown;
}

/** A number that stands for two records with the same key. */
const ambiguous = 2 ** 30 - 1;

/** The entities of one kind in a dump, numbered from 0: where their operations are, and their keys. */
export class Records {
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  /** Empty where the kind has no ids. */
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

  /** Adds a record, and returns its number. */
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

  /** Lengthens the last record, because more lines belong to it. */
  extend(length: number): void {
    this.lengths[this.length - 1]! += length;
  }

  /** The byte behind the last record. */
  get end(): number {
    return (this.offsets.at(-1) ?? 0) + (this.lengths.at(-1) ?? 0);
  }

  withId(id: string): number | undefined {
    return this.#byId.get(keyOf(id));
  }

  keyOf(by: NaturalKey["by"], number: number): Key | undefined {
    return this.#byKey.get(by)?.list[number];
  }

  /** True if one or more records have a natural key. */
  hasKey(by: NaturalKey["by"], key: Key): boolean {
    return this.#byKey.get(by)?.table.get(key) !== undefined;
  }

  /** Returns the record with a natural key; undefined where none or several have it. */
  withKey(by: NaturalKey["by"], key: Key): number | undefined {
    const number = this.#byKey.get(by)?.table.get(key);
    return number === ambiguous ? undefined : number;
  }
}

/** The kinds of entities of which a tenant may have very many; all others are few and held in memory. */
export const recordKinds = kindsIn(
  ...dumpKinds.filter((kind) => kind !== "settings" && kind !== "content-model"),
);
export type RecordKind = (typeof recordKinds)[number];

/** The operations that write parts of entities, each on lines of its own. */
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
  /** The number of the first child of each folder, and behind its last; children are next to each other. */
  readonly children: Map<number, { first: number; end: number }>;
  /** The product whose draft has a SKU. */
  readonly skus: KeyTable;
  /** The SKUs that products are published with, and have lost since; without those of deferred items. */
  readonly publishedSkus: { readonly key: Key; readonly number: number }[];
}

/** The position of an operation in the file, in bytes. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** The text of a dump, by offsets and lengths in bytes. */
export interface TextStore {
  read(offset: number, length: number): string;
}

/** A dump, with what is needed to find its entities. */
export interface IndexedDump {
  readonly spool: TextStore;
  readonly settings: Operation[];
  /** Stock locations whose rule the dump lifts while it writes items, because the stock is older than the rule. */
  readonly lifted: Set<string>;
  readonly contentModel: Operation[];
  /** Things that the dump leaves out, by its report. */
  readonly omissions: readonly Omission[];
  /** The operations of aliases that the tenant has and the dump leaves out, because an item gets the path elsewhere. */
  readonly omittedAliases: readonly Operation[];
  /** The operations that restrict flows, by the identifier of the flow: they come after the items in them. */
  readonly restrictions: Map<string, Operation>;
  readonly records: Readonly<Record<RecordKind, Records>>;
  readonly tree: Tree;
  /** The operations of items that come after all items, because a SKU had to be free: their positions, by the item. */
  readonly deferred: Map<number, TextRange[]>;
  /** The first byte of the operations of each part, and behind the last. */
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

/** Reads an operation from its line, which may end with a comma. */
const operationOf = (line: string): Operation => JSON.parse(withoutComma(line));

export const withoutComma = (line: string) => (line.endsWith(",") ? line.slice(0, -1) : line);

/** The folder above all others. */
export const rootId = "{{ defaults.rootItemId }}";

/** Reads the operations of an entity. Those of items have their ids, and no names. */
export function operationsOf(dump: IndexedDump, kind: RecordKind, number: number): Operation[] {
  const operations = textOf(dump, kind, number).split("\n").map(operationOf);
  if (kind !== "item") return operations;
  const later = dump.deferred.get(number) ?? [];
  return [
    ...operations.map((operation) => ofItem(dump, number, operation)),
    ...later.map((range) => deferredOperation(dump, { number, ...range })),
  ];
}

/** Reads an operation of an item that comes after all items. */
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

/** Reads the lines of an entity, without the end of the last; without what is deferred. */
export function textOf({ spool, records }: IndexedDump, kind: RecordKind, number: number): string {
  const { offsets, lengths } = records[kind];
  return withoutComma(spool.read(offsets[number]!, lengths[number]! - 1));
}

/** Bytes of parts per read. */
const chunk = 1 << 20;

/** Reads the operations of a part, a chunk at a time. */
export function* partOperations({ spool, parts }: IndexedDump, intent: PartIntent): Generator<Operation> {
  const { start, end } = parts.get(intent) ?? { start: 0, end: 0 };
  for (let offset = start; offset < end; ) {
    let length = Math.min(chunk, end - offset);
    let text = spool.read(offset, length);
    // A chunk ends with a whole line; the text of a cut character is not looked at.
    for (; offset + length < end && !text.includes("\n"); text = spool.read(offset, length))
      length = Math.min(length * 2, end - offset);
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const line of whole.split("\n")) if (line !== "") yield operationOf(line);
    offset += bytesIn(whole);
  }
}

/** True for a SKU that a product has until its own are free. */
export const isTemporary = (sku: string): boolean => /^temporary-[0-9a-f]{24}$/.test(sku);

/** The SKUs that an operation gives a product, without temporary ones; undefined where it gives none. */
export function skusOf({ variants }: Operation): string[] | undefined {
  if (!Array.isArray(variants)) return undefined;
  return variants.map(({ sku }) => String(sku)).filter((sku) => !isTemporary(sku));
}
