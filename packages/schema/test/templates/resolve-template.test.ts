import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/templates/evaluate/failure.ts";
import { type Run, runTemplate } from "../../src/templates/evaluate/run.ts";
import type { ReferenceValue } from "../../src/templates/evaluate/template-scope.ts";
import { operationHelpers } from "../../src/templates/helpers.ts";
import { TemplateSyntaxError } from "../../src/templates/parse/syntax-error.ts";
import { resolveTemplate } from "../../src/templates/resolve/resolve-template.ts";
import { rendererOf, usesOf } from "../../src/templates/template.ts";

type Results = Readonly<Record<string, unknown>>;

const lookupIn =
  (results: Results) =>
  (name: string): ReferenceValue | undefined => {
    if (!Object.hasOwn(results, name)) return undefined;
    const output = results[name];
    return output === failed ? { index: 7, status: "failure" } : { index: 7, status: "success", output };
  };
const failed = Symbol("failed");

const resolved = (text: string, results: Results) =>
  resolveTemplate(text, { result: lookupIn(results), steps: 0, output: 0 });

/** The text a template renders to; each helper returns its arguments. Undefined if rendering fails. */
function rendered(text: string, results: Results): string | undefined {
  const helpers = Object.fromEntries(
    Object.keys(operationHelpers)
      .filter((name) => name !== "valueOf")
      .map((name) => [name, (args: unknown[]) => ({ id: JSON.stringify(args), list: args })]),
  );
  const scope = { lookup: lookupIn(results), names: () => [], defaults: { taskId: "task" }, helpers };
  const counts = { calls: 0, steps: 0, maxSteps: 20_000, output: 0 };
  try {
    const run: Run = { scope, rendering: {}, callsAllowed: true, results: [], ...counts };
    return runTemplate(rendererOf(text), run) as string;
  } catch (thrown) {
    if (thrown instanceof Failure || thrown instanceof TemplateSyntaxError) return undefined;
    throw thrown;
  }
}

const known = {
  t: { id: "0193", n: 10, flag: true, list: ["x", "y"], braces: "{{ late.id }} \\{{", q: `a"b` },
};

describe("unchanged text", () => {
  test.each([
    ["text without results", "plain {{ late.id }} {{ defaults.taskId }}"],
    ["a template that does not parse", "{{ t.id }} {{#if}"],
    ["a property that is not there", "{{ t.nothing }}"],
    [
      "a block that reads an unknown name inside of another context",
      "{{#with late}}{{@root.t.id}}{{id}}{{/with}}",
    ],
    ["an argument that no literal means", "{{ lookup (fetchOrderById t.list) 'id' }}"],
    ["a text with both quotes as an argument", "{{ valueOf (fetchOrderById t.both) 'id' }}"],
  ])("%s", (_, text) => {
    expect(resolved(text, { t: { ...known.t, both: `a"b'c` } })).toBe(text);
  });

  test("the result of an operation that failed", () => {
    expect(resolved("{{ gone.id }} {{ t.id }}", { ...known, gone: failed })).toBe("{{ gone.id }} 0193");
  });
});

describe("inserted results", () => {
  test.each([
    ["a value", "{{ t.id }}", "0193"],
    ["a value within a text", "see {{ t.id }}!", "see 0193!"],
    ["a number, which stays a template so that it may stand for one", "{{ t.n }}", "10{{!}}"],
    ["a boolean, likewise", "{{t.flag}}", "true{{!}}"],
    ["a number with a line break behind it", "{{ t.n }}\n  ", "10{{!}}\n  "],
    ["a block that reads nothing else", "{{#each t.list}}{{@index}}{{this}},{{/each}}", "0x,1y,"],
    ["one expression after another", "{{ t.id }}-{{ late.id }}", "0193-{{ late.id }}"],
    [
      "an argument of a helper",
      "{{ valueOf (fetchOrderById t.id) 'id' }}",
      "{{ valueOf (fetchOrderById \"0193\") 'id' }}",
    ],
    [
      "a text with a quote as an argument",
      "{{ valueOf (fetchOrderById t.q) 'id' }}",
      "{{ valueOf (fetchOrderById 'a\"b') 'id' }}",
    ],
    [
      "within a condition on something else",
      "{{#if late.id}}{{ t.id }}{{else if t.id}}b{{/if}}",
      '{{#if late.id}}0193{{else if "0193"}}b{{/if}}',
    ],
    [
      "white space that the braces strip",
      "a {{~ t.id ~}} b{{ late.id }}",
      "a {{~!}}{{!}}0193{{!}}{{!~}} b{{ late.id }}",
    ],
  ])("%s", (_, text, expected) => {
    expect(resolved(text, known)).toBe(expected);
  });
});

test("a value with braces renders to the same text, alone and next to a reference", () => {
  for (const text of ["{{ t.braces }}", "{{ t.braces }}{{ late.id }}", "{{ late.id }}\\\\{{ t.braces }}"]) {
    const template = resolved(text, known);
    expect(usesOf(template).references.filter(({ name }) => name === "t")).toEqual([]);
    const late = { late: { id: "L" } };
    expect(rendered(template, late)).toBe(rendered(text, { ...known, ...late }));
  }
});

test("the cost is counted for the whole operation", () => {
  const resolution = { result: lookupIn(known), steps: 4_999_999, output: 0 };
  expect(resolveTemplate("{{ t.id }}", resolution)).toBe("{{ t.id }}");
});

const value = fc.oneof(
  fc.string(),
  fc
    .array(fc.constantFrom("{", "}", "\\", " ", "\n", "!", "~", "a", '"', "'", "{{", "}}"), { maxLength: 5 })
    .map((all) => all.join("")),
  fc.constantFrom(0, 1, -2.5, true, false),
);
const path = fc.constantFrom(
  "t.a",
  "t.b",
  "t.id",
  "t.list",
  "late.a",
  "late.id",
  "@root.t.a",
  "defaults.taskId",
  "this",
  "p",
);
const argument = fc.oneof(
  path,
  fc.constantFrom('"x"', "1", "(fetchOrderById t.a)", "(lookup t 'a')", "(fetchOrderById late.a t.b)"),
);
const space = fc.constantFrom("", " ", "\n", "\n  ", "a", "\\", "{", "\\{{", "~", "b \n");
const { part } = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    space,
    fc
      .tuple(
        fc.constantFrom("{{", "{{~"),
        fc.oneof(
          path,
          argument.map((one) => `valueOf ${one} 'id'`),
        ),
        fc.constantFrom("}}", "~}}"),
      )
      .map((all) => all.join(" ")),
    fc
      .tuple(
        fc.constantFrom("if", "unless", "with", "each"),
        argument,
        fc.array(tie("part"), { maxLength: 3 }),
        fc.constantFrom("", "{{else}}z", "\n{{else if t.a}}\n"),
        space,
      )
      .map(
        ([name, subject, body, otherwise, end]) =>
          `{{#${name} ${subject}}}${body.join("")}${otherwise}${end}{{/${name}}}`,
      ),
  ),
}));

test("a resolved template renders the same, without the inserted results", () => {
  const results = fc.record({ a: value, b: value, id: value, list: fc.array(value, { maxLength: 2 }) });
  const template = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  let compared = 0;
  fc.assert(
    fc.property(template, results, results, (text, t, late) => {
      const before = rendered(text, { t, late });
      const after = resolved(text, { t });
      if (before === undefined) return;
      expect(rendered(after, { t, late })).toBe(before);
      if (after === text || usesOf(after).references.some(({ name }) => name === "t")) return;
      expect(rendered(after, { late })).toBe(before);
      compared++;
    }),
    { numRuns: 600 },
  );
  expect(compared).toBeGreaterThan(60);
});
