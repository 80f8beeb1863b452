import { Action, DumpKind, EntityKind, KindIn, NaturalKey } from "@lading/schema/internal";
type Key = bigint;
declare class KeyTable {
  #private;
  get(key: Key): number | undefined;
  set(key: Key, number: number): void;
  entries(): Generator<[Key, number]>;
}
interface Omission {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly shape?: string;
  readonly component?: string;
  readonly aliases?: unknown;
}
interface Operation {
  readonly intent: string;
  readonly [field: string]: unknown;
}
declare class Records {
  #private;
  readonly offsets: number[];
  readonly lengths: number[];
  readonly ids: string[];
  constructor(keys: readonly NaturalKey["by"][]);
  get length(): number;
  numbers(): Iterable<number>;
  add(offset: number, length: number, id: string | undefined, keys: readonly NaturalKey[]): number;
  extend(length: number): void;
  get end(): number;
  withId(id: string): number | undefined;
  keyOf(by: NaturalKey["by"], number: number): Key | undefined;
  hasKey(by: NaturalKey["by"], key: Key): boolean;
  withKey(by: NaturalKey["by"], key: Key): number | undefined;
}
declare const recordKinds: readonly import("@lading/schema/internal").KindIn<"contracts" | "customers" | "flows" | "items" | "orders" | "paths" | "price-lists" | "topics">[];
type RecordKind = (typeof recordKinds)[number];
declare const partIntents: readonly ["customer/group/update", "customer/update", "pricelist/selectedProductVariants/upsert", "item/flow/stage/addItems", "item/paths/addAliases", "item/paths/setHistory", "item/paths/addShortcuts"];
type PartIntent = (typeof partIntents)[number];
interface Tree {
  readonly parents: number[];
  readonly shapes: string[];
  readonly children: Map<number, {
    first: number;
    end: number;
  }>;
  readonly skus: KeyTable;
  readonly publishedSkus: {
    readonly key: Key;
    readonly number: number;
  }[];
}
interface TextRange {
  readonly offset: number;
  readonly length: number;
}
interface TextStore {
  read(offset: number, length: number): string;
}
interface IndexedDump {
  readonly spool: TextStore;
  readonly settings: Operation[];
  readonly lifted: Set<string>;
  readonly contentModel: Operation[];
  readonly omissions: readonly Omission[];
  readonly omittedAliases: readonly Operation[];
  readonly restrictions: Map<string, Operation>;
  readonly records: Readonly<Record<RecordKind, Records>>;
  readonly tree: Tree;
  readonly deferred: Map<number, TextRange[]>;
  readonly parts: Map<PartIntent, {
    start: number;
    end: number;
  }>;
}
type Noun = Words<Exclude<EntityKind, "item" | KindIn<"settings">>> | ("setting" | "folder" | "document" | "product") | ("selected variant" | "item in a flow" | "alias" | "former path" | "shortcut");
type Words<Name extends string> = Name extends `${infer Letter}${infer Rest}` ? `${Letter extends Lowercase<Letter> ? Letter : ` ${Lowercase<Letter>}`}${Words<Rest>}` : Name;
type Change = Extract<Action, "created" | "updated" | "deleted">;
interface Count {
  readonly noun: Noun;
  readonly change: Change | "left" | "released";
  count: number;
  readonly names: string[];
}
interface Remainder {
  readonly what: string;
  count: number;
  readonly names: string[];
}
declare class Changes {
  #private;
  operations: number;
  note(noun: Noun, change: Count["change"], name: string): void;
  remains(what: string, name: string): void;
  remain(remainder: Remainder): void;
  get counts(): Count[];
  get remainders(): Remainder[];
}
type Differences = Generator<Operation, void>;
interface CompareOptions {
  readonly deletes: boolean;
  isCompared(kind: DumpKind): boolean;
}
export declare function compare(from: IndexedDump, to: IndexedDump, options: CompareOptions): {
  operations: Differences;
  changes: Changes;
};
export declare class InvalidDump extends Error {
  readonly name = "InvalidDump";
}
export declare class DumpReader {
  #private;
  constructor(spool: TextStore);
  add(text: string): void;
  end(omissions: readonly Omission[]): IndexedDump;
}
export type { Changes, Count, Differences, IndexedDump };
