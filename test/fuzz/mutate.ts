import type { Random } from "../support/random.ts";

/** Values that break programs: ends of ranges, other types, text that is code somewhere. */
const troublesome: readonly unknown[] = [
  ...[null, true, false, 0, -1, -0, 1, 0.1, 1e308, -1e308, 2 ** 31, 2 ** 53, 5e-324],
  ...["", " ", "0", "-1", "null", "\u0000", "\ud800", "\u202e", "💥", "ß".repeat(300), "x".repeat(5_000)],
  ...["__proto__", "constructor", "toString", "../../etc/passwd", "%00", "'; DROP TABLE items; --", "$1"],
  ...[
    "{{",
    "}}",
    "{{ x }}",
    "{{#if a}}",
    "{{/if}}",
    "{{{ x }}}",
    "{{ defaults.rootItemId }}",
    "{{ lookup . 1 }}",
  ],
  ...["{{#each defaults}}{{this}}{{/each}}", "{{ valueOf (fetchItemById 'x') 'name' }}", "{{ constructor }}"],
  ...["2026-02-30", "2026-01-01T00:00:00Z", "9999999999-01-01", "en", "http://[::1]/", "a".repeat(24)],
  ...[[], {}, [[]], [null], { "": "" }, { id: {} }, { __proto__: null }],
  JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`),
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
];

type Container = Record<string | number, unknown>;

/** Changes a JSON value at some place: replaces, removes, doubles, renames or swaps a member. */
export function mutateJson(random: Random, root: Container): void {
  const locations = locationsIn(root);
  if (locations.length === 0) return;
  const [holder, key] = random.pick(locations);
  const [other, otherKey] = random.pick(locations);
  const set = (value: unknown, at = key) => {
    holder[at] = value;
  };
  const changes: readonly (() => unknown)[] = [
    () => set(structuredClone(random.pick(troublesome))),
    () => set(structuredClone(random.pick(troublesome))),
    () => (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]),
    () => set([holder[key], structuredClone(holder[key])]),
    () => set(structuredClone(other[otherKey]), `${key}${random.pick(["", "s", "Id", " "])}`),
    () => swap(holder, key, other, otherKey),
    () => set(changedText(random, holder[key])),
  ];
  random.pick(changes)();
}

function swap(holder: Container, key: string, other: Container, otherKey: string): void {
  const [one, two] = [structuredClone(holder[key]), structuredClone(other[otherKey])];
  holder[key] = two;
  other[otherKey] = one;
}

const changedText = (random: Random, value: unknown) =>
  typeof value === "string" ? mutateText(random, value) : (JSON.stringify(value) ?? "");

function locationsIn(value: unknown): [Container, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => [
    [value as Container, key] as [Container, string],
    ...locationsIn((value as Container)[key]),
  ]);
}

/** Changes a text somewhere: a piece is removed, doubled, moved, replaced by something troublesome, or cut off. */
export function mutateText(random: Random, text: string): string {
  const from = random.below(text.length + 1);
  const to = Math.min(text.length, from + random.below(20));
  const piece = text.slice(from, to);
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const letters = [
    '"',
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\\",
    "$",
    "(",
    ")",
    "...",
    "@",
    "\u0000",
    "\ufeff",
    "é",
    "0",
  ];
  return random.pick<() => string>([
    () => before + after,
    () => before + piece + piece + after,
    () => before + random.pick(letters) + after,
    () => before + random.pick(letters) + piece + after,
    () => before + JSON.stringify(random.pick(troublesome)) + after,
    () => after + before,
    () => before,
    () => before + [...piece].reverse().join("") + after,
  ])();
}
