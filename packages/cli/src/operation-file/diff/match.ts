import { byKind, hasId, type NaturalKey, nounOf, slug } from "@lading/schema";
import {
  type IndexedDump,
  type Operation,
  operationsOf,
  type RecordKind,
  type Records,
  recordKinds,
} from "./indexed-dump.ts";
import { KeyTable, keyOf, otherIds } from "./key-table.ts";

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
function keysByStrength(kind: RecordKind): readonly (NaturalKey["by"] | "id")[] {
  const [first, ...weaker] = nounOf(kind).keys;
  return hasId(kind) ? [first, "id", ...weaker] : [first, ...weaker];
}

/** Finds the entities that both tenants have. */
export function matchDumps(from: IndexedDump, to: IndexedDump): Pair {
  const matches = byKind(recordKinds, (kind) => new Matches(from.records[kind], to.records[kind]));
  const pair = { from, to, matches };
  for (const kind of recordKinds)
    for (const by of keysByStrength(kind)) {
      matchBy(pair, kind, by);
      if (by === "id") matchByOtherIds(pair, kind);
    }
  matchByPath(pair, "topic", topicPlaces);
  matchByPath(pair, "item", itemPlaces);
  for (const kind of recordKinds) settleIds(pair, kind);
  return pair;
}

function matchBy(pair: Pair, kind: RecordKind, by: NaturalKey["by"] | "id"): void {
  const { from, to, matches } = pair;
  const [before, after] = [from.records[kind], to.records[kind]];
  for (let number = 0; number < after.length; number++) {
    const found = by === "id" ? before.withId(after.ids[number]!) : withKey(before, after, by, number);
    if (kind === "item" && found !== undefined && from.tree.shapes[found] !== to.tree.shapes[number])
      continue;
    if (found !== undefined && areToldApart(pair, kind, by, found, number)) continue;
    matches[kind].note(found, number);
  }
}

/** Matches what an earlier comparison has given another id, because an entity that is not the same had its own. */
function matchByOtherIds(pair: Pair, kind: RecordKind): void {
  const { from, to, matches } = pair;
  const [before, after] = [from.records[kind], to.records[kind]];
  for (const [number, id] of after.ids.entries()) {
    if (matches[kind].fromOf(number) !== undefined || before.withId(id) === undefined) continue;
    for (const other of otherIds(id)) {
      const found = before.withId(other);
      if (found === undefined && after.withId(other) === undefined) break;
      if (found === undefined || after.withId(other) !== undefined || matches[kind].isKept(found)) continue;
      if (kind === "item" && from.tree.shapes[found] !== to.tree.shapes[number]) continue;
      matches[kind].note(found, number);
      break;
    }
  }
}

function withKey(before: Records, after: Records, by: NaturalKey["by"], number: number): number | undefined {
  const key = after.keyOf(by, number);
  // Of two with one key, neither is known by it.
  if (key === undefined || after.withKey(by, key) === undefined) return undefined;
  return before.withKey(by, key);
}

/** The keys that tell two entities apart although they have another one in common, which does not say as much. */
const tellingApart: Readonly<Record<string, readonly NaturalKey["by"][]>> = {
  externalReference: ["resourceIdentifier"],
  path: ["resourceIdentifier", "externalReference"],
};

/** True if both entities have a key that says more than the one by which they are alike, and these differ. */
function areToldApart(
  { from, to }: Pair,
  kind: RecordKind,
  by: NaturalKey["by"] | "id" | "path",
  found: number,
  number: number,
): boolean {
  const differ = (key: NaturalKey["by"]) => {
    const [one, other] = [from.records[kind].keyOf(key, found), to.records[kind].keyOf(key, number)];
    return one !== undefined && other !== undefined && one !== other;
  };
  if (tellingApart[by]?.some(differ)) return true;
  if (by !== "path" || kind !== "item" || !differ("sku")) return false;
  // Products that share one of their default SKUs have changed their default alone.
  const [one, other] = [from.records.item.keyOf("sku", found)!, to.records.item.keyOf("sku", number)!];
  return from.tree.skus.get(other) !== found && to.tree.skus.get(one) !== number;
}

/** The entities in one place that a search looks at: with very many of one name, the time does not grow with all. */
const mostCandidates = 32;

/** Entities by their places, which several may share. */
export class PlaceTable {
  /** The entities by their place and their turn in it. */
  readonly #numbers = new KeyTable();
  /** The number of entities in each place. */
  readonly #counts = new KeyTable();
  /** The turn of the first one in each place that may be free. */
  readonly #first = new KeyTable();

  add(place: string, number: number): void {
    const key = keyOf(place);
    const turn = this.#counts.get(key) ?? 0;
    this.#numbers.set(keyOf(place, turn), number);
    this.#counts.set(key, turn + 1);
  }

  /** Finds the first entity in a place that is free and possible. What is not free once must stay so. */
  find(
    place: string,
    isFree: (number: number) => boolean,
    isPossible: (number: number) => boolean,
  ): number | undefined {
    const key = keyOf(place);
    const count = this.#counts.get(key) ?? 0;
    const at = (turn: number) => this.#numbers.get(keyOf(place, turn))!;
    let first = this.#first.get(key) ?? 0;
    while (first < count && !isFree(at(first))) first++;
    this.#first.set(key, first);
    const end = Math.min(count, first + mostCandidates);
    for (let turn = first; turn < end; turn++) if (isFree(at(turn)) && isPossible(at(turn))) return at(turn);
    return undefined;
  }
}

/** The places of an entity in a tree: its parent's id, and its segment there in each language. */
interface Places {
  readonly parent: (dump: IndexedDump, number: number, operations: readonly Operation[]) => number;
  readonly segment: (operation: Operation) => string | undefined;
  /** A number that entities in the same place must have in common to be the same. */
  readonly group: (dump: IndexedDump, number: number) => number;
}

const itemPlaces: Places = {
  parent: ({ tree }, number) => tree.parents[number]!,
  segment: ({ name }) => (typeof name === "string" ? slug(name) || name : undefined),
  group: ({ tree }, number) => tree.shapes[number]!,
};

const topicPlaces: Places = {
  parent: ({ records }, _, [first]) =>
    typeof first?.parentId === "string" ? (records.topic.withId(first.parentId) ?? -1) : -1,
  segment: ({ pathIdentifier }) => (typeof pathIdentifier === "string" ? pathIdentifier : undefined),
  group: () => 0,
};

/** Matches what is in the same place of both trees. Parents come before what is below them. */
function matchByPath(pair: Pair, kind: "topic" | "item", places: Places): void {
  const { from, to, matches: all } = pair;
  const [before, after, matches] = [from.records[kind], to.records[kind], all[kind]];
  const unmatched = numbersWhere(after.length, (number) => matches.fromOf(number) === undefined);
  if (unmatched.length === 0) return;
  const taken = new PlaceTable();
  for (const number of numbersWhere(before.length, (number) => !matches.isKept(number)))
    for (const place of placesOf(from, before, number, (parent) => parent, places)) taken.add(place, number);
  const parentOf = (parent: number) => (parent === -1 ? -1 : matches.fromOf(parent));
  for (const number of unmatched)
    for (const place of placesOf(to, after, number, parentOf, places)) {
      const isPossible = (found: number) => !areToldApart(pair, kind, "path", found, number);
      matches.note(
        taken.find(place, (found) => !matches.isKept(found), isPossible),
        number,
      );
    }
}

/**
 * The places of an entity; its parent is named by its number in `from`, and has none where it is new. Of several in one
 * place, the one that was made at the same time is the same: the places with a time come first.
 */
function placesOf(
  dump: IndexedDump,
  records: Records,
  number: number,
  parentOf: (parent: number) => number | undefined,
  { parent, segment, group }: Places,
): Set<string> {
  const operations = operationsOf(dump, records, number);
  const above = parentOf(parent(dump, number, operations));
  if (above === undefined) return new Set();
  const found = operations.flatMap((operation) => {
    const own = segment(operation);
    return own === undefined ? [] : [[above, group(dump, number), operation.language, own].join("\0")];
  });
  const createdAt = operations[0]?.createdAt;
  const timed = createdAt === undefined ? [] : found.map((place) => `${place}\0${createdAt}`);
  return new Set([...timed, ...found]);
}

function numbersWhere(length: number, test: (number: number) => boolean): number[] {
  const numbers: number[] = [];
  for (let number = 0; number < length; number++) if (test(number)) numbers.push(number);
  return numbers;
}

/** Gives a new entity another id where an entity that is not the same has its own; says if any ids differ. */
function settleIds({ from, to, matches: all }: Pair, kind: RecordKind): void {
  const [before, after, matches] = [from.records[kind], to.records[kind], all[kind]];
  const given = new Set<string>();
  const isTaken = (id: string) =>
    [before, after].some((records) => records.withId(id) !== undefined) || given.has(id);
  for (const [number, id] of after.ids.entries()) {
    const found = matches.fromOf(number);
    if (found !== undefined && before.ids[found] === id) continue;
    if (found === undefined && before.withId(id) === undefined) continue;
    matches.sameIds = false;
    if (found !== undefined) continue;
    const other = otherIds(id).find((other) => !isTaken(other))!;
    matches.otherIds.set(number, other);
    given.add(other);
  }
}
