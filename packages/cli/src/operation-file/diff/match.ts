import { hash } from "node:crypto";
import { type NaturalKey, slug } from "@lading/schema";
import { KeyTable, keyOf } from "./key-table.ts";
import { type IndexedDump, operationsOf, recordKinds } from "./read-dump.ts";
import type { Operation, Records } from "./records.ts";

type RecordKind = (typeof recordKinds)[number];

/** The two tenants, and which of their entities are the same. */
export interface Pair {
  /** The tenant that is changed. */
  readonly from: IndexedDump;
  /** The tenant that it becomes like. */
  readonly to: IndexedDump;
  readonly matches: Readonly<Record<RecordKind, Matches>>;
}

/** The entities of one kind that both tenants have, by their numbers. */
export class Matches {
  /** The number in `from` of each of `to`; -1 where it is new. */
  readonly #from: Int32Array;
  /** The number in `to` of each of `from`; -1 where only `from` has it. */
  readonly #to: Int32Array;
  /** Ids of new entities whose own id another entity has. */
  readonly otherIds = new Map<number, string>();
  /** True if what is the same has the same id, and what is new keeps its own. */
  sameIds = true;

  constructor(from: Records, to: Records) {
    this.#from = new Int32Array(to.length).fill(-1);
    this.#to = new Int32Array(from.length).fill(-1);
  }

  fromOf(to: number): number | undefined {
    const from = this.#from[to]!;
    return from === -1 ? undefined : from;
  }

  toOf(from: number): number | undefined {
    const to = this.#to[from]!;
    return to === -1 ? undefined : to;
  }

  /** True if both tenants have an entity of `from`. */
  isKept(from: number): boolean {
    return this.#to[from] !== -1;
  }

  /** Notes that two are the same, if neither is the same as another one yet. */
  note(from: number | undefined, to: number): void {
    if (from === undefined || this.#from[to] !== -1 || this.#to[from] !== -1) return;
    this.#from[to] = from;
    this.#to[from] = to;
  }
}

/** The keys by which entities are matched, the strongest first. An id is weaker than a name that was given to stay. */
const order: Readonly<Record<RecordKind, readonly (NaturalKey["by"] | "id")[]>> = {
  topic: ["resourceIdentifier", "id"],
  item: ["resourceIdentifier", "id", "externalReference", "sku"],
  order: ["resourceIdentifier", "id"],
  contract: ["resourceIdentifier", "id"],
  customerGroup: ["identifier"],
  customer: ["identifier"],
  priceList: ["identifier"],
  flow: ["identifier"],
};

/** Finds the entities that both tenants have. */
export function matchDumps(from: IndexedDump, to: IndexedDump): Pair {
  const matches = Object.fromEntries(
    recordKinds.map((kind) => [kind, new Matches(from.records[kind], to.records[kind])]),
  ) as Record<RecordKind, Matches>;
  const pair = { from, to, matches };
  for (const kind of recordKinds) for (const by of order[kind]) matchBy(pair, kind, by);
  matchByPath(pair, "topic", topicPlaces);
  matchByPath(pair, "item", itemPlaces);
  for (const kind of recordKinds) settleIds(pair, kind);
  return pair;
}

function matchBy({ from, to, matches }: Pair, kind: RecordKind, by: NaturalKey["by"] | "id"): void {
  const [before, after] = [from.records[kind], to.records[kind]];
  for (let number = 0; number < after.length; number++) {
    const found = by === "id" ? before.withId(after.ids[number]!) : withKey(before, after, by, number);
    if (kind === "item" && found !== undefined && from.tree.shapes[found] !== to.tree.shapes[number])
      continue;
    matches[kind].note(found, number);
  }
}

function withKey(before: Records, after: Records, by: NaturalKey["by"], number: number): number | undefined {
  const key = after.keyOf(by, number);
  // Of two with one key, neither is known by it.
  if (key === undefined || after.withKey(by, key) === undefined) return undefined;
  return before.withKey(by, key);
}

/** The places of an entity in a tree: its parent's id, and its segment there in each language. */
interface Places {
  readonly parent: (dump: IndexedDump, number: number, operations: readonly Operation[]) => number;
  readonly segment: (operation: Operation) => string | undefined;
}

const itemPlaces: Places = {
  parent: ({ tree }, number) => tree.parents[number]!,
  segment: ({ name }) => (typeof name === "string" ? slug(name) || name : undefined),
};

const topicPlaces: Places = {
  parent: ({ records }, _, [first]) =>
    typeof first?.parentId === "string" ? (records.topic.withId(first.parentId) ?? -1) : -1,
  segment: ({ pathIdentifier }) => (typeof pathIdentifier === "string" ? pathIdentifier : undefined),
};

/** Matches what is in the same place of both trees. Parents come before what is below them. */
function matchByPath({ from, to, matches: all }: Pair, kind: "topic" | "item", places: Places): void {
  const [before, after, matches] = [from.records[kind], to.records[kind], all[kind]];
  const unmatched = numbersWhere(after.length, (number) => matches.fromOf(number) === undefined);
  if (unmatched.length === 0) return;
  const taken = new KeyTable();
  for (const number of numbersWhere(before.length, (number) => !matches.isKept(number)))
    for (const place of placesOf(from, before, number, (parent) => parent, places)) {
      let repeat = 0;
      while (taken.get(keyOf(place, repeat)) !== undefined) repeat++;
      taken.set(keyOf(place, repeat), number);
    }
  const parentOf = (parent: number) => (parent === -1 ? -1 : matches.fromOf(parent));
  for (const number of unmatched)
    for (const place of placesOf(to, after, number, parentOf, places)) {
      const found = firstFree(taken, place, matches);
      if (kind === "item" && found !== undefined && from.tree.shapes[found] !== to.tree.shapes[number])
        continue;
      matches.note(found, number);
    }
}

function firstFree(places: KeyTable, place: string, matches: Matches): number | undefined {
  for (let repeat = 0; ; repeat++) {
    const found = places.get(keyOf(place, repeat));
    if (found === undefined || !matches.isKept(found)) return found;
  }
}

/** The places of an entity; its parent is named by its number in `from`, and has none where it is new. */
function placesOf(
  dump: IndexedDump,
  records: Records,
  number: number,
  parentOf: (parent: number) => number | undefined,
  { parent, segment }: Places,
): Set<string> {
  const operations = operationsOf(dump, records, number);
  const above = parentOf(parent(dump, number, operations));
  const found = new Set<string>();
  if (above === undefined) return found;
  for (const operation of operations) {
    const own = segment(operation);
    if (own !== undefined) found.add(`${above}\0${String(operation.language)}\0${own}`);
  }
  return found;
}

function numbersWhere(length: number, test: (number: number) => boolean): number[] {
  const numbers: number[] = [];
  for (let number = 0; number < length; number++) if (test(number)) numbers.push(number);
  return numbers;
}

/** Gives a new entity another id where an entity that is not the same has its own; says if any ids differ. */
function settleIds({ from, to, matches: all }: Pair, kind: RecordKind): void {
  const [before, after, matches] = [from.records[kind], to.records[kind], all[kind]];
  for (const [number, id] of after.ids.entries()) {
    const found = matches.fromOf(number);
    if (found !== undefined && before.ids[found] === id) continue;
    if (found === undefined && before.withId(id) === undefined) continue;
    matches.sameIds = false;
    if (found === undefined) matches.otherIds.set(number, otherId(before, id));
  }
}

/** An id that follows from another one, so that a comparison can be repeated. */
function otherId(before: Records, id: string): string {
  const next = hash("sha1", id).slice(0, 24);
  return before.withId(next) === undefined ? next : otherId(before, next);
}
