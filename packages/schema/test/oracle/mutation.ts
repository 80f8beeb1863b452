import fc from "fast-check";
import type { JsonPath } from "../../src/problems/json-pointer.ts";

interface Location {
  holder: Record<string | number, unknown>;
  key: string | number;
}

const wrongValues = [
  null,
  0,
  -1,
  0.5,
  1e21,
  7,
  true,
  "",
  "x",
  "not a known value",
  "{{ earlier.value }}",
  "{{ not closed",
  "65F1A2B3C4D5E6F708192A3B",
  [],
  {},
  [null],
];

const strayFields = [
  "colour",
  "componets",
  "singleLine",
  "richText",
  "config",
  "name",
  "id",
  "__proto__",
  "constructor",
];

/** Values like the generated ones with one mistake: a field dropped, replaced or added somewhere. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    kind: fc.constantFrom("drop", "replace", "replace", "add"),
    at: fc.nat(),
    value: fc.constantFrom(...wrongValues),
    field: fc.constantFrom(...strayFields),
  });
  return fc.tuple(valid, change).map(([value, { kind, at, value: wrong, field }]) => {
    const copy = structuredClone(value);
    const locations = locationsOf(copy);
    const { holder, key } = locations[at % locations.length]!;
    if (kind === "replace") holder[key] = structuredClone(wrong);
    else if (kind === "add") addTo(holder, field, structuredClone(wrong));
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return copy;
  });
}

function addTo(holder: Location["holder"], field: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value);
  else Object.defineProperty(holder, field, { value, enumerable: true, configurable: true, writable: true });
}

function locationsOf(value: unknown): Location[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, member]) => [
    { holder: value as Location["holder"], key },
    ...locationsOf(member),
  ]);
}

export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (current, key) =>
      current !== null && typeof current === "object" && Object.hasOwn(current, key)
        ? (current as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}
