import { resolveTemplate } from "@lading/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { SeenKeys } from "../../../service/src/system/seen-keys.ts";
import { DataIssues } from "../../src/operation-file/convert/issues.ts";
import { compileMap } from "../../src/operation-file/convert/map/compile-map.ts";
import { operationsOf } from "../../src/operation-file/convert/operations.ts";

/** Cells of what templates give a meaning to. */
const cell = fc.string({ unit: fc.constantFrom(..."{}\\\"'~!# \nab1."), maxLength: 8 });

const templates = [
  "{{ row.a }}",
  "{{{ row.a }}}x",
  "{ {{ row.a }}{{ row.b }} }",
  "\\\\{{ row.a }}",
  "{{ shop.id }}{{ row.a }}",
  "{{ row.a }}{{ shop.id }}{{ row.b }}",
  "{{ upload row.a }}",
  "{{ upload row.a row.b }}-{{ row.b }}",
  "{{ valueOf (fetchItemById row.a) 'id' }} {{ row.b }}",
  "  {{~ row.a ~}}  x {{ shop.id }}",
  "{{#if row.a}}{{ row.b }}{{else}}{{ shop.id }}{{/if}}",
  "{{! note }}{{ row.a }}",
];

const withoutMark = (text: string) => text.replace(/\{\{!\}\}(?=\s*$)/, "");

test.each(templates)("a compiled template gives what its evaluation gives: %s", (template) => {
  const operation = { intent: "customer/upsert", value: template };
  const before = [{ intent: "shape/upsert", _ref: "shop", identifier: "shop", name: "A", type: "product" }];
  const { map } = compileMap(JSON.stringify({ before, operations: [operation] }));
  if (map === undefined) expect.fail("the map is wrong");
  const property = fc.property(cell, cell, (a, b) => {
    const row = { line: 2, cells: map.columns.names.map((name) => (name === "a" ? a : b)) };
    const issues = new DataIssues();
    const [made] = operationsOf([row], map, issues);
    const output = { index: 0, status: "success", output: { a, b } } as const;
    const result = (name: string) => (name === "row" ? output : undefined);
    const evaluated = resolveTemplate(template, { result, steps: 0, output: 0 });
    if (made === undefined) expect(issues.kept).toMatchObject([{ code: "UnfilledTemplate" }]);
    // A mark behind what could be a number; here the type of the column tells.
    else expect(withoutMark(JSON.parse(made).value)).toBe(withoutMark(evaluated));
  });
  fc.assert(property, { numRuns: runs(300) });
});

test("the memory of keys grows", () => {
  const seen = new SeenKeys();
  for (let line = 1; line <= 5_000; line++) expect(seen.add(`key ${line}`, line)).toBeUndefined();
  for (let line = 1; line <= 5_000; line++) expect(seen.add(`key ${line}`, 9_999)).toBe(line);
});

test("keys that were seen are known with their first line, however many there are", () => {
  const property = fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3_000 }), (keys) => {
    const seen = new SeenKeys();
    const lines = new Map<string, number>();
    for (const [index, key] of keys.entries()) {
      expect(seen.add(key, index + 1)).toBe(lines.get(key));
      if (!lines.has(key)) lines.set(key, index + 1);
    }
  });
  fc.assert(property, { numRuns: runs(50) });
});
