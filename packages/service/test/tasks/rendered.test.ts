import { type JsonPath, toPointer } from "@lading/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderedParts, withRendered } from "../../src/tasks/rendered.ts";

/** The places of the texts of a JSON value. */
function textsOf(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) =>
    textsOf((value as Record<string, unknown>)[key], [...path, key]),
  );
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, map)]));
}

test("an input with its rendered parts put back is the payload that was executed", () => {
  const keys = fc.oneof(fc.constantFrom("a/b", "~1", "~", "", "0", "__proto__"), fc.string());
  const payloads = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      tie("object"),
      tie("list"),
    ),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(keys, tie("value"), { maxKeys: 4 }),
  })).object;
  fc.assert(
    fc.property(payloads, (generated) => {
      const input = JSON.parse(JSON.stringify(generated)) as unknown;
      const executed = mapTexts(input, (text) => `${text}!`);
      const parts = renderedParts(executed, textsOf(input).map(toPointer));
      expect(withRendered(structuredClone(input), JSON.parse(JSON.stringify(parts)))).toEqual(executed);
    }),
  );
});

test("a part whose pointer is empty is all of it", () => {
  expect(withRendered({ name: "{{ x }}" }, { "": { other: 1 } })).toEqual({ other: 1 });
});
