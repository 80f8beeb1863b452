import { byKey, hasId, type NaturalKey, nounOf, slug } from "@lading/schema/internal";
import {
  type IndexedDump,
  type Operation,
  operationsOf,
  type RecordKind,
  type Records,
  recordKinds,
} from "./indexed-dump.ts";
import { KeyTable, keyOf, otherIds } from "./key-table.ts";

/** The two tenants, and the matches between their entities. */
export interface Pair {
  /** The tenant to change. */
  readonly from: IndexedDump;
  /** The target state. */
  readonly to: IndexedDump;
  readonly matches: Readonly<Record<RecordKind, Matches>>;
}

/** The matched entities of one kind, by their numbers in both tenants. */
export class Matches {
  readonly #before: Records;
  readonly #after: Records;
  /** The number in `from` of each entity of `to`, and vice versa; -1 without a match. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  /** New ids for new entities whose own id is taken. */
  readonly #otherIds = new Map<number, string>();
  /** True if matched entities have the same ids, and new ones keep theirs. */
  sameIds = true;

  constructor(before: Records, after: Records) {
    this.#before = before;
    this.#after = after;
    this.#from = new Int32Array(after.length).fill(-1);
    this.#to = new Int32Array(before.length).fill(-1);
  }

  fromOf(to: number): number | undefined {
    const from = this.#from[to]!;
    return from === -1 ? undefined : from;
  }

  toOf(from: number): number | undefined {
    const to = this.#to[from]!;
    return to === -1 ? undefined : to;
  }

  /** True if an entity of `from` has a match in `to`. */
  isKept(from: number | undefined): boolean {
    return from !== undefined && this.#to[from] !== -1;
  }

  /** The entity of `to` that will have an id. */
  withId(id: string): number | undefined {
    const from = this.#before.withId(id);
    return from === undefined ? this.#after.withId(id) : this.toOf(from);
  }

  /** The id that an entity of `to` will have. */
  idOf(to: number): string {
    const from = this.fromOf(to);
    return from === undefined ? (this.#otherIds.get(to) ?? this.#after.ids[to]!) : this.#before.ids[from]!;
  }

  /** Records a match, unless one of the two already has another. */
  note(from: number | undefined, to: number): void {
    if (from === undefined || this.#from[to] !== -1 || this.#to[from] !== -1) return;
    this.#from[to] = from;
    this.#to[from] = to;
  }

  /** Gives new entities another id if theirs is taken by a different entity. */
  settleIds(): void {
    const [before, after] = [this.#before, this.#after];
    const given = new Set<string>();
    const isFree = (id: string) =>
      before.withId(id) === undefined && after.withId(id) === undefined && !given.has(id);
    for (const [number, id] of after.ids.entries()) {
      const found = this.fromOf(number);
      if (found === undefined ? before.withId(id) === undefined : before.ids[found] === id) continue;
      this.sameIds = false;
      if (found !== undefined) continue;
      const other = otherIds(id).find(isFree)!;
      this.#otherIds.set(number, other);
      given.add(other);
    }
  }
}

/** Matches the entities of both dumps. */
export function matchDumps(from: IndexedDump, to: IndexedDump): Pair {
  const matches = byKey(recordKinds, (kind) => new Matches(from.records[kind], to.records[kind]));
  const pair = { from, to, matches };
  for (const kind of recordKinds) {
    // The strongest key first. An id is weaker than a key chosen to be permanent.
    const [first, ...weaker] = nounOf(kind).keys;
    matchByKey(pair, kind, first);
    if (hasId(kind)) matchById(pair, kind);
    for (const by of weaker) matchByKey(pair, kind, by);
  }
  matchByPath(pair, "topic", topicLocations);
  matchByPath(pair, "item", itemLocations);
  for (const kind of recordKinds) matches[kind].settleIds();
  return pair;
}

function matchByKey(pair: Pair, kind: RecordKind, by: NaturalKey["by"]): void {
  const [before, after] = [pair.from.records[kind], pair.to.records[kind]];
  for (const number of after.numbers()) {
    const key = after.keyOf(by, number);
    // A key that several entities share identifies none of them.
    if (key === undefined || after.withKey(by, key) === undefined) continue;
    const found = before.withKey(by, key);
    if (found === undefined || !areAlike(pair, kind, found, number)) continue;
    if (!areToldApart(pair, kind, by, found, number)) pair.matches[kind].note(found, number);
  }
}

/** Matches by id, then by the ids an earlier comparison gave to entities whose own id was taken. */
function matchById(pair: Pair, kind: RecordKind): void {
  const [before, after, matches] = [pair.from.records[kind], pair.to.records[kind], pair.matches[kind]];
  for (const [number, id] of after.ids.entries()) {
    const found = before.withId(id);
    if (found !== undefined && areAlike(pair, kind, found, number)) matches.note(found, number);
  }
  for (const [number, id] of after.ids.entries()) {
    if (matches.fromOf(number) !== undefined || before.withId(id) === undefined) continue;
    for (const other of otherIds(id)) {
      const found = before.withId(other);
      const isOfTo = after.withId(other) !== undefined;
      if (found === undefined && !isOfTo) break;
      if (found === undefined || isOfTo || matches.isKept(found) || !areAlike(pair, kind, found, number))
        continue;
      matches.note(found, number);
      break;
    }
  }
}

/** True unless both are items of different types or shapes. */
const areAlike = ({ from, to }: Pair, kind: RecordKind, found: number, number: number): boolean =>
  kind !== "item" || from.tree.shapes[found] === to.tree.shapes[number];

/** For each weaker key, the stronger keys that can prove two entities different. */
const tellingApart: Readonly<Record<string, readonly NaturalKey["by"][]>> = {
  externalReference: ["resourceIdentifier"],
  path: ["resourceIdentifier", "externalReference"],
};

/** True if both entities have a stronger key than the shared one, and these differ. */
function areToldApart(
  { from, to }: Pair,
  kind: RecordKind,
  by: NaturalKey["by"] | "path",
  found: number,
  number: number,
): boolean {
  const differ = (key: NaturalKey["by"]) => {
    const [one, other] = [from.records[kind].keyOf(key, found), to.records[kind].keyOf(key, number)];
    return one !== undefined && other !== undefined && one !== other;
  };
  if (tellingApart[by]?.some(differ)) return true;
  if (by !== "path" || kind !== "item" || !differ("sku")) return false;
  // Products that share one of their default SKUs only changed their default.
  const [one, other] = [from.records.item.keyOf("sku", found)!, to.records.item.keyOf("sku", number)!];
  return from.tree.skus.get(other) !== found && to.tree.skus.get(one) !== number;
}

/** Maximum number of entities a search examines per location, to bound the time if many have the same name. */
const mostCandidates = 32;

/** Entities by location; several may share one. */
export class LocationTable {
  /** Entities by location and index within it. */
  readonly #numbers = new KeyTable();
  /** The number of entities per location. */
  readonly #counts = new KeyTable();
  /** The index of the first entity per location that may be free. */
  readonly #first = new KeyTable();

  add(location: string, number: number): void {
    const key = keyOf(location);
    const turn = this.#counts.get(key) ?? 0;
    this.#numbers.set(keyOf(location, turn), number);
    this.#counts.set(key, turn + 1);
  }

  /** Finds the first free and possible entity in a location. An entity that is not free must stay so. */
  find(
    location: string,
    isFree: (number: number) => boolean,
    isPossible: (number: number) => boolean,
  ): number | undefined {
    const key = keyOf(location);
    const count = this.#counts.get(key) ?? 0;
    const at = (turn: number) => this.#numbers.get(keyOf(location, turn))!;
    let first = this.#first.get(key) ?? 0;
    while (first < count && !isFree(at(first))) first++;
    this.#first.set(key, first);
    const end = Math.min(count, first + mostCandidates);
    for (let turn = first; turn < end; turn++) if (isFree(at(turn)) && isPossible(at(turn))) return at(turn);
    return undefined;
  }
}

/** Locates the entities of a tree. */
interface Locations {
  readonly parent: (dump: IndexedDump, number: number, first: Operation) => number;
  readonly segment: (operation: Operation) => unknown;
  /** Entities in the same location match only if these texts are equal. */
  readonly group: (dump: IndexedDump, number: number) => string;
}

const itemLocations: Locations = {
  parent: ({ tree }, number) => tree.parents[number]!,
  segment: ({ name }) => (typeof name === "string" ? slug(name) || name : undefined),
  group: ({ tree }, number) => tree.shapes[number]!,
};

const topicLocations: Locations = {
  parent: ({ records }, _, { parentId }) => records.topic.withId(String(parentId)) ?? -1,
  segment: ({ pathIdentifier }) => pathIdentifier,
  group: () => "",
};

/** Matches entities in the same location of both trees, parents first. */
function matchByPath(pair: Pair, kind: "topic" | "item", locations: Locations): void {
  const { from, to, matches: all } = pair;
  const matches = all[kind];
  const unmatched = [...to.records[kind].numbers()].filter((number) => matches.fromOf(number) === undefined);
  if (unmatched.length === 0) return;
  const taken = new LocationTable();
  for (const number of from.records[kind].numbers())
    if (!matches.isKept(number))
      for (const location of locationsOf(from, kind, number, (parent) => parent, locations))
        taken.add(location, number);
  const parentOf = (parent: number) => (parent === -1 ? -1 : matches.fromOf(parent));
  for (const number of unmatched)
    for (const location of locationsOf(to, kind, number, parentOf, locations)) {
      const isPossible = (found: number) => !areToldApart(pair, kind, "path", found, number);
      matches.note(
        taken.find(location, (found) => !matches.isKept(found), isPossible),
        number,
      );
    }
}

/**
 * The locations of an entity: none if its parent is new, since parents are identified by their number in `from`. If
 * several share a location, the one created at the same time matches, so locations with a time come first.
 */
function locationsOf(
  dump: IndexedDump,
  kind: RecordKind,
  number: number,
  parentOf: (parent: number) => number | undefined,
  { parent, segment, group }: Locations,
): Set<string> {
  const operations = operationsOf(dump, kind, number);
  const { createdAt } = operations[0]!;
  const above = parentOf(parent(dump, number, operations[0]!));
  if (above === undefined) return new Set();
  const found = operations.flatMap((operation) => {
    const own = segment(operation);
    return own === undefined ? [] : [[above, group(dump, number), operation.language, own].join("\0")];
  });
  const timed = createdAt === undefined ? [] : found.map((location) => `${location}\0${createdAt}`);
  return new Set([...timed, ...found]);
}
