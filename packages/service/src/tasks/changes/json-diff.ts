import { isDeepStrictEqual } from "node:util";
import { isObject } from "@lading/schema";

/** A differing value, by JSON pointer (RFC 6901). */
export interface ValueChange {
  readonly pointer: string;
  /** Null: there was none. */
  readonly before: unknown;
  /** Null: there is none. */
  readonly after: unknown;
}

/** Properties that identify list members, in order of preference. */
const identities = ["componentId", "sku", "identifier", "id", "key", "code"];

/**
 * Lists the differences between two JSON values. Compares list members by identity, if they have one; a removed
 * member's pointer has its previous index. Reordered members are reported as one change of the list itself, with the
 * identities of the common members in both orders.
 */
export function* jsonDiff(before: unknown, after: unknown, pointer = ""): Generator<ValueChange> {
  if (Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) yield* listDiff(before, after, pointer);
  else if (isObject(before) && isObject(after)) yield* objectDiff(before, after, pointer);
  else yield { pointer, before: before ?? null, after: after ?? null };
}

const step = (key: string | number) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

function* objectDiff(before: object, after: object, pointer: string): Generator<ValueChange> {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const key of new Set([...from.keys(), ...to.keys()]))
    yield* jsonDiff(from.get(key) ?? null, to.get(key) ?? null, pointer + step(key));
}

function* listDiff(
  before: readonly unknown[],
  after: readonly unknown[],
  pointer: string,
): Generator<ValueChange> {
  const identity = identities.find((name) => tellsApart(before, name) && tellsApart(after, name));
  const keyOf = (member: unknown, index: number): unknown =>
    identity ? valueUnder(member, identity) : index;
  if (identity) yield* orderDiff([before, after], identity, pointer);
  const earlier = new Map(before.map((member, index) => [keyOf(member, index), { member, index }]));
  const kept = new Set(after.map(keyOf));
  const gone = identity === "id" ? [...earlier].filter(([key]) => !kept.has(key)) : [];
  for (const [index, member] of after.entries()) {
    const key = keyOf(member, index);
    const own = earlier.has(key) ? key : renamedFrom(member, gone);
    yield* jsonDiff(earlier.get(own)?.member ?? null, member, pointer + step(index));
    earlier.delete(own);
  }
  for (const { member, index } of earlier.values())
    yield { pointer: pointer + step(index), before: member, after: null };
}

/** Maximum number of removed members that an added one is compared with. */
const mostCompared = 20;

/** The id of the removed member that equals a member, apart from the id and the name. */
function renamedFrom(member: unknown, gone: [unknown, { member: unknown }][]): unknown {
  const nameless = (value: unknown) => (isObject(value) ? { ...value, id: null, name: null } : value);
  return gone
    .slice(0, mostCompared)
    .find(([, { member: former }]) => isDeepStrictEqual(nameless(former), nameless(member)))?.[0];
}

/** The order of the members common to both lists, if it differs. */
function* orderDiff(
  [before, after]: readonly [readonly unknown[], readonly unknown[]],
  identity: string,
  pointer: string,
): Generator<ValueChange> {
  const [earlier, later] = [before, after].map((members) =>
    members.map((member) => valueUnder(member, identity)),
  );
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
