import { dumpKinds, kindsIn } from "@lading/schema";
import type { Spool } from "../../files/spool.ts";
import type { Omission } from "../../service/dump-lines.ts";
import type { Key, KeyTable } from "./key-table.ts";
import type { Operation, Records } from "./records.ts";

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

/** The place of items in the tree. */
export interface Tree {
  /** The number of each item's folder; -1 for the root. */
  readonly parents: number[];
  /** A number for each pair of type and shape. */
  readonly shapes: number[];
  /** The number of the first child of each folder, and behind its last; children are next to each other. */
  readonly children: Map<number, { first: number; end: number }>;
  /** The product whose draft has a SKU. */
  readonly skus: KeyTable;
  /** The SKUs that products are published with, and have lost since; without those of deferred items. */
  readonly publishedSkus: { readonly key: Key; readonly number: number }[];
}

/** The place of an operation in the file, in bytes. */
export interface TextPlace {
  readonly offset: number;
  readonly length: number;
}

/** A dump in a temporary file, with what is needed to find its entities. */
export interface IndexedDump {
  readonly spool: Spool;
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
  /** The operations of items that come after all items, because a SKU had to be free: their places, by the item. */
  readonly deferred: Map<number, TextPlace[]>;
  /** The first byte of the operations of each part, and behind the last. */
  readonly parts: Map<PartIntent, { start: number; end: number }>;
}

/** Reads an operation from its line, which may end with a comma. */
const operationOf = (line: string): Operation => JSON.parse(withoutComma(line));

/** Takes the comma from the end of a line. */
export const withoutComma = (line: string) => (line.endsWith(",") ? line.slice(0, -1) : line);

/** The folder above all others. */
export const rootId = "{{ defaults.rootItemId }}";

/** Reads the operations of an entity. Those of items have their ids, and no names. */
export function operationsOf(dump: IndexedDump, records: Records, number: number): Operation[] {
  const text = textOf(dump.spool, records.offsets[number]!, records.lengths[number]!);
  const operations = text.split("\n").map(operationOf);
  if (records !== dump.records.item) return operations;
  const later = dump.deferred.get(number) ?? [];
  return [
    ...operations.map((operation) => ofItem(dump, number, operation)),
    ...later.map((place) => deferredOperation(dump, { number, ...place })),
  ];
}

/** Reads an operation of an item that comes after all items. */
export const deferredOperation = (
  dump: IndexedDump,
  { number, offset, length }: TextPlace & { readonly number: number },
): Operation => ofItem(dump, number, operationOf(textOf(dump.spool, offset, length)));

/** An operation of an item with its id, and without a name. */
const ofItem = (
  { records }: IndexedDump,
  number: number,
  { _ref: _, ...operation }: Operation,
): Operation => ({
  ...operation,
  itemId: records.item.ids[number]!,
});

/** Reads the lines of an entity, without the end of the last. */
export const textOf = (spool: Spool, offset: number, length: number): string =>
  spool.read(offset, length - 1).replace(/,$/, "");

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
    offset += Buffer.byteLength(whole);
  }
}
