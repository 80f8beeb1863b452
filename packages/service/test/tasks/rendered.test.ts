import fc from "fast-check";
import { expect, test } from "vitest";
import { withRendered } from "../../src/tasks/rendered.ts";
import { renderPayload } from "../../src/templates/render-payload.ts";
import { scopeOf } from "../templates/support/scope.ts";

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, map)]));
}

test("an input with its rendered parts put back is the payload that was executed", async () => {
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
  await fc.assert(
    fc.asyncProperty(payloads, async (generated) => {
      const texts = JSON.parse(JSON.stringify(generated)) as object;
      const input = mapTexts(
        texts,
        (text) => `{{ product.language }}${text.replaceAll(/[{}\\]/g, "")}`,
      ) as object;
      const rendered = await renderPayload(input, scopeOf());
      const parts = JSON.parse(JSON.stringify(rendered.texts ?? {}));
      expect(withRendered(structuredClone(input), parts)).toEqual(rendered.payload);
    }),
  );
});

test("a part whose pointer is empty is all of it", () => {
  expect(withRendered({ name: "{{ x }}" }, { "": { other: 1 } })).toEqual({ other: 1 });
});
