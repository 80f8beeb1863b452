import type { Collection, KeyPart, Table } from "./collection.ts";
import { keyText } from "./mapped-collection.ts";

/**
 * Requests a row to be loaded with the batch; `follow` is called with each row found and may request more. Pass a
 * top-level function (not a closure) where you can: the same one is called once per row.
 */
export type Prefetch = <Row extends object, IndexName extends string>(
  collection: Collection<Row, IndexName>,
  index: NoInfer<IndexName> | "key",
  values: readonly KeyPart[],
  follow?: (row: Row, prefetch: Prefetch) => void,
) => void;

type Follow = (row: object, prefetch: Prefetch) => void;

/** `follows` are all that were ever passed for the key; the first `followed` of them have been called. */
interface PrefetchRequest {
  readonly values: readonly KeyPart[];
  follows: Follow[] | undefined;
  followed: number;
}

/** Requests by collection and index, possibly with duplicates. */
type Round = Map<Table, Map<string, PrefetchRequest[]>>;

export interface LookUp {
  readonly collection: Table;
  /** `key`: the primary one. */
  readonly index: string;
  readonly keys: readonly (readonly KeyPart[])[];
}

export interface RowSource {
  /** The rows with a key that are in memory; null when they must be loaded. */
  peek(collection: Table, index: string, values: readonly KeyPart[]): object[] | null;
  /** Loads with one statement. */
  load(lookUps: readonly LookUp[]): Promise<void>;
}

/**
 * Loads the rows that `declare` requests with one query per index, and then those that the loaded rows request in turn.
 * No function follows a row twice, so rows may be circular.
 *
 * `together` loads with a single statement, and rows by unique keys with the first: for a single operation, whose time
 * is that of its statements and round trips. The statements of batches would be too varied to be prepared.
 */
export async function prefetchRows(
  source: RowSource,
  declare: (prefetch: Prefetch) => void,
  together = false,
): Promise<void> {
  const requests = new Map<Table, Map<string, Map<string, PrefetchRequest>>>();
  let next: Round = new Map();
  /** Requests for one row by a unique key, without follow-ups: most of these rows are found on the way. */
  let last: Round = new Map();
  // Row and index types are erased here: a request holds rows of any collection.
  const prefetch = ((collection: Table, index: string, values: KeyPart[], follow?: Follow) => {
    const keys = within(within(requests, collection), index);
    const text = keyText(values);
    let request = keys.get(text);
    if (request !== undefined && (follow === undefined || request.follows?.includes(follow))) return;
    if (request === undefined) {
      request = { values, follows: undefined, followed: 0 };
      keys.set(text, request);
    }
    if (follow !== undefined) {
      if (request.follows === undefined) request.follows = [follow];
      else request.follows.push(follow);
    }
    const isLast = !together && follow === undefined && collection.unique.includes(index);
    const round = isLast ? last : next;
    const indexes = within(round, collection);
    const requested = indexes.get(index);
    if (requested === undefined) indexes.set(index, [request]);
    else requested.push(request);
  }) as Prefetch;
  declare(prefetch);
  while (next.size > 0 || last.size > 0) {
    const round = next.size > 0 ? next : last;
    if (round === next) next = new Map();
    else last = new Map();
    await loadRound(source, round, prefetch, together);
  }
}

/** Loads one round's requests together, then calls the functions that follow its rows. */
async function loadRound(
  source: RowSource,
  round: Round,
  prefetch: Prefetch,
  together: boolean,
): Promise<void> {
  const lookUps = [...round].flatMap(([collection, indexes]) =>
    [...indexes].map(([index, requests]) => ({ collection, index, requests })),
  );
  const missing: LookUp[] = [];
  for (const { collection, index, requests } of lookUps) {
    const keys: (readonly KeyPart[])[] = [];
    for (const { values } of requests) if (source.peek(collection, index, values) === null) keys.push(values);
    if (keys.length > 0) missing.push({ collection, index, keys });
  }
  if (together && missing.length > 0) await source.load(missing.sort(byIndex));
  else await Promise.all(missing.map((lookUp) => source.load([lookUp])));
  for (const { collection, index, requests } of lookUps)
    for (const request of requests) {
      const { values, follows, followed } = request;
      if (follows === undefined || followed === follows.length) continue;
      const due = follows.length;
      request.followed = due;
      for (const row of source.peek(collection, index, values) ?? [])
        for (let at = followed; at < due; at++) follows[at]?.(row, prefetch);
    }
}

/** Returns the map under a key, adding a missing one. */
function within<Key, InnerKey, Value>(maps: Map<Key, Map<InnerKey, Value>>, key: Key): Map<InnerKey, Value> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}

/** A canonical order of look-ups, so that equal sets of them share one statement, which is prepared once. */
const byIndex = (one: LookUp, other: LookUp): number => (nameOf(one) < nameOf(other) ? -1 : 1);

const nameOf = ({ collection, index }: LookUp) => `${collection.table} ${index}`;
