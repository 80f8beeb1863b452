import { isObject } from "@lading/schema/internal";

/** A differing value, by JSON pointer (RFC 6901). */
export interface ValueChange {
  readonly pointer: string;
  /** Null: there was none. */
  readonly before: unknown;
  /** Null: there is none. */
  readonly after: unknown;
}

/** The former identities of list members that have others now, by the pointer to the member as it is now. */
export type Renamed = ReadonlyMap<string, string>;

/** Properties that identify list members, in order of preference. */
const identities = ["componentId", "sku", "identifier", "id", "key", "code"];

/**
 * Lists the differences between two JSON values. Compares list members by identity, if they have one; a removed
 * member's pointer has its previous index. Reordered members are reported as one change of the list itself, with the
 * identities of the common members in both orders.
 */
export function* jsonDiff(
  before: unknown,
  after: unknown,
  pointer = "",
  renamed: Renamed = new Map(),
): Generator<ValueChange> {
  if (Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) yield* listDiff(before, after, pointer, renamed);
  else if (isObject(before) && isObject(after)) yield* objectDiff(before, after, pointer, renamed);
  else yield { pointer, before: before ?? null, after: after ?? null };
}

const step = (key: string | number) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

function* objectDiff(
  before: object,
  after: object,
  pointer: string,
  renamed: Renamed,
): Generator<ValueChange> {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const key of new Set([...from.keys(), ...to.keys()]))
    yield* jsonDiff(from.get(key) ?? null, to.get(key) ?? null, pointer + step(key), renamed);
}

function* listDiff(
  before: readonly unknown[],
  after: readonly unknown[],
  pointer: string,
  renamed: Renamed,
): Generator<ValueChange> {
  const identity = identities.find((name) => tellsApart(before, name) && tellsApart(after, name));
  const keyOf = (member: unknown, index: number): unknown =>
    identity ? valueUnder(member, identity) : index;
  const formerKeys = after.map((member, index) => renamed.get(pointer + step(index)) ?? keyOf(member, index));
  if (identity) yield* orderDiff(before.map(keyOf), formerKeys, pointer);
  const earlier = new Map(before.map((member, index) => [keyOf(member, index), { member, index }]));
  for (const [index, member] of after.entries()) {
    const key = formerKeys[index];
    yield* jsonDiff(earlier.get(key)?.member ?? null, member, pointer + step(index), renamed);
    earlier.delete(key);
  }
  for (const { member, index } of earlier.values())
    yield { pointer: pointer + step(index), before: member, after: null };
}

/** The order of the members common to both lists, if it differs. */
function* orderDiff(
  earlier: readonly unknown[],
  later: readonly unknown[],
  pointer: string,
): Generator<ValueChange> {
  const [all, still] = [new Set(earlier), new Set(later)];
  const from = [...all].filter((name) => still.has(name));
  const to = [...still].filter((name) => all.has(name));
  if (from.some((name, index) => name !== to[index])) yield { pointer, before: from, after: to };
}

const valueUnder = (member: unknown, name: string): unknown =>
  isObject(member) ? (Object.entries(member).find(([key]) => key === name)?.[1] as unknown) : undefined;

/** True if a property has a different text in each member. */
function tellsApart(members: readonly unknown[], name: string): boolean {
  const values = members.map((member) => valueUnder(member, name));
  return values.every((value) => typeof value === "string") && new Set(values).size === values.length;
}
