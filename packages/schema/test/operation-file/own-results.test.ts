import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { withResults, withSource } from "../../src/internal.ts";
import { ownResult } from "../../src/operation/envelope.ts";
import { Failure } from "../../src/templates/evaluate/failure.ts";
import { type Run, runTemplate } from "../../src/templates/evaluate/run.ts";
import type { ReferenceValue } from "../../src/templates/evaluate/template-scope.ts";
import { operationHelpers } from "../../src/templates/helpers.ts";
import { TemplateSyntaxError } from "../../src/templates/parse/syntax-error.ts";
import { rendererOf } from "../../src/templates/template.ts";
import { check, fileOf, issuesOf } from "./support/files.ts";
import { item } from "./support/operations.ts";

type Lookup = (name: string) => ReferenceValue | undefined;

const lookupIn =
  (results: unknown): Lookup =>
  (name) => {
    const output = ownResult(results, name);
    return output === undefined ? undefined : { index: 7, status: "success", output };
  };

/** The text a template renders to; each helper returns its arguments. Undefined if rendering fails. */
function rendered(text: string, lookup: Lookup): string | undefined {
  const helpers = Object.fromEntries(
    Object.keys(operationHelpers)
      .filter((name) => name !== "valueOf")
      .map((name) => [name, (args: unknown[]) => ({ id: JSON.stringify(args), list: args })]),
  );
  const scope = { lookup, names: () => [], defaults: { taskId: "task" }, helpers };
  const counts = { calls: 0, steps: 0, maxSteps: 20_000, output: 0 };
  try {
    const run: Run = { scope, rendering: {}, results: [], ...counts };
    return runTemplate(rendererOf(text), run) as string;
  } catch (thrown) {
    if (thrown instanceof Failure || thrown instanceof TemplateSyntaxError) return undefined;
    throw thrown;
  }
}

const topic = (name: string) => ({ intent: "topic/create", language: "en", name });

const added = (name: string, results: object, operation: object = topic(name)): unknown =>
  JSON.parse(withResults(JSON.stringify(operation), lookupIn(results)))._results;

describe("added results", () => {
  const t = { id: { value: "0193" }, list: ["x"], braces: '{{ a }} "', other: 1 };

  test.each([
    ["a property", "{{ t.id }}", { id: t.id }],
    ["a part of a property", "{{ t.list.[0] }}", { list: t.list }],
    [
      "properties of several expressions",
      "{{ t.id }}{{#if late}}{{ t.braces }}{{/if}}",
      { id: t.id, braces: t.braces },
    ],
    ["a property by its name", "{{ lookup t 'id' }}", { id: t.id }],
    ["all of a result that is read as a whole", "{{#each t}}{{@key}}{{/each}}", t],
    ["all that an alias may read", "{{#with t as |one|}}{{ one.id }}{{/with}}", t],
    ["nothing for a property that is not there", "{{#if t.nothing}}a{{/if}}", {}],
  ])("%s", (_, name, expected) => {
    expect(added(name, { t, unread: t })).toEqual({ t: expected });
  });

  test("an operation that reads no such result is not changed by a byte", () => {
    for (const name of ["plain", "{{ late.id }} {{ defaults.taskId }}", "{{ t.id }} {{#if}"]) {
      const text = ` { "name":${JSON.stringify(name)} , "intent":"topic\\/create"}`;
      expect(withResults(text, lookupIn({ t }))).toBe(text);
    }
  });

  test("the result of an operation that failed is not added", () => {
    const text = JSON.stringify(topic("{{ t.id }}"));
    expect(withResults(text, () => ({ index: 1, status: "failure" }))).toBe(text);
  });

  test("results that an operation has stay, and others are added to them", () => {
    const _results = { t: { id: "own" } };
    const name = "{{ t.id }} {{ late.id }}";
    const all = { ..._results, late: { id: 2 } };
    expect(added(name, { t, late: { id: 2, x: 3 } }, { ...topic(name), _results })).toEqual(all);
    const source = { task: "t", index: 3 };
    const text = withSource(`{"_results": {"t": {"id": "}\\""}},\n "intent": "x"}`, source);
    expect(text).toBe(
      `{"_source": ${JSON.stringify(source)}, "_results": {"t": {"id": "}\\""}},\n "intent": "x"}`,
    );
  });
});

const value = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc
    .array(fc.constantFrom("{", "}", "\\", " ", "\n", "!", "~", "a", '"', "'", "{{", "}}", "😀"), {
      maxLength: 5,
    })
    .map((all) => all.join("")),
  fc.constantFrom(0, 1, -2.5, true, false),
);
const path = fc.constantFrom("t.a", "t.b", "t.id", "@root.t.a", "late.a", "late.id", "defaults.taskId");
const call = fc.constantFrom("(fetchOrderById t.a)", "(lookup t 'a')", "(fetchOrderById late.a t.b)");
const argument = fc.oneof(path, call, fc.constantFrom("t", "t.list", "late", '"x"', "1"));
const fragile = fc.constantFrom(
  "this",
  "this.a",
  "p",
  "p.a",
  "@key",
  "../t.b",
  "t.list.[0]",
  "lookup t late.a",
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
          { weight: 6, arbitrary: path },
          call.map((one) => `valueOf ${one} 'id'`),
          fragile,
        ),
        fc.constantFrom("}}", "~}}"),
      )
      .map((all) => all.join(" ")),
    fc
      .tuple(
        fc.constantFrom("if", "unless", "with", "each"),
        argument,
        fc.constantFrom("", " as |p|"),
        fc.array(tie("part"), { maxLength: 3 }),
        fc.constantFrom("", "{{else}}z", "\n{{else if t.a}}\n"),
        space,
      )
      .map(
        ([name, subject, alias, body, otherwise, end]) =>
          `{{#${name} ${subject}${/with|each/.test(name) ? alias : ""}}}${body.join("")}${otherwise}${end}{{/${name}}}`,
      ),
  ),
}));

test("with its own results an operation renders as with all results, whatever it reads and whatever they contain", () => {
  const results = fc.record({ a: value, b: value, id: value, list: fc.array(value, { maxLength: 2 }) });
  const template = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  let compared = 0;
  fc.assert(
    fc.property(template, results, results, results, (text, t, late, hidden) => {
      const written = added(text, { t });
      const own: Lookup = (name) => lookupIn(written)(name) ?? lookupIn({ t: hidden, late })(name);
      if (written === undefined) return;
      const expected = rendered(text, lookupIn({ t, late }));
      expect(rendered(text, own)).toBe(expected);
      if (expected !== undefined) compared++;
    }),
    { numRuns: runs(2_000) },
  );
  expect(compared).toBeGreaterThan(runs(300));
});

test.each(["_source", "_results"])("a repeated or escaped %s hides no written one", (name) => {
  const escaped = `"${name.replace("s", "\\u0073")}"`;
  for (const keys of [[escaped], [`"${name}"`, escaped], [escaped, `"${name}"`]]) {
    const before = keys.map((key) => `${key}: {"task": {"id": 1}, "index": {"id": 2}}, `).join("");
    const text = ` {${before}"intent": "topic/create", "name": "{{ t.id }}"}`;
    const all = withSource(withResults(text, lookupIn({ t: { id: 3 } })), { task: "a", index: 4 });
    const { _source, _results } = JSON.parse(all);
    expect(_source).toEqual({ task: "a", index: 4 });
    expect(_results).toMatchObject({ t: { id: 3 } });
  }
});

test("a field of the same name inside of the operation stays", () => {
  const text = ' {"meta": {"_results": 1, "_source": 2}, "name": "{{ t.id }}"}';
  const all = withSource(withResults(text, lookupIn({ t: { id: 3 } })), { task: "a", index: 4 });
  const fields = { _source: { task: "a", index: 4 }, _results: { t: { id: 3 } } };
  expect(JSON.parse(all)).toEqual({ ...fields, ...JSON.parse(text) });
});

describe("the check of a file", () => {
  const own = (name: string, _results: unknown) => JSON.stringify({ ...topic(name), _results });

  test("results that an operation has are known to it alone, and are no reads of the file's", async () => {
    const t = JSON.stringify({ ...topic("t"), _ref: "t" });
    const { issues, lifetimes } = await check(
      fileOf(
        t,
        own("{{ t.id }}{{ t.list.[1] }}", { t: { id: "a", list: [1, 2] } }),
        JSON.stringify(topic("{{ late.id }}")),
      ),
    );
    expect(issues.map(({ code, operationIndex }) => [code, operationIndex])).toEqual([
      ["UndefinedReference", 2],
    ]);
    expect(lifetimes).toEqual([]);
  });

  test("a property that a result lacks is a warning at the template, except in a condition", async () => {
    const { issues } = await check(
      fileOf(own("{{ t.id.value }} {{#if t.x}}{{ t.x }}{{/if}}", { t: { id: "a" } })),
    );
    expect(issues).toMatchObject([
      { code: "UnknownProperty", pointer: "/operations/0/name", message: '"_results" has no "t.id.value"' },
    ]);
  });

  test.each([
    ["a list", [], "/operations/0/_results"],
    ["a text", "t", "/operations/0/_results"],
    ["a result that is not an object", { t: { id: 1 }, late: "a" }, "/operations/0/_results/late"],
    ["a result that is null", { t: null }, "/operations/0/_results/t"],
  ])("%s is an error at its position", async (_, results, pointer) => {
    const { issues } = await check(fileOf(own("a", results)));
    expect(issues).toMatchObject([{ severity: "error", code: "WrongType", pointer }]);
    expect(issues[0]?.message).toContain("expected object");
  });

  test("braces in a result are text, and names of objects' members are no results", async () => {
    expect(await issuesOf(fileOf(own("{{ t.id }}", { t: { id: "{{ x.id }} {{#if" } })))).toEqual([]);
    const inherited = own("{{ constructor.name }} {{ toString.id }}", {});
    const codes = (await check(fileOf(inherited))).issues.map(({ code }) => code);
    expect(codes).toEqual(["UndefinedReference", "UndefinedReference"]);
  });

  test("results nested too deep, or with a NUL character, are refused as anywhere in an operation", async () => {
    const deep = own("a", { t: { id: JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`) } });
    expect(await issuesOf(fileOf(deep))).toEqual([
      expect.stringContaining("error NestedTooDeep /operations/0 "),
    ]);
    const issues = await issuesOf(fileOf(own("a", { t: { id: "\0" } })));
    expect(issues).toEqual([expect.stringContaining("error NulCharacter /operations/0/_results/t/id ")]);
  });

  test("content is checked against the shape of the item whose id is in the results", async () => {
    const shape = (identifier: string) =>
      JSON.stringify({
        ...{ intent: "shape/create", identifier, type: "document", name: "s" },
        components: [{ id: identifier, name: "a", type: "singleLine" }],
      });
    const itemId = "f".repeat(24);
    const created = (_ref: string, shapeIdentifier: string, fields = {}) =>
      JSON.stringify({ intent: "document/upsert", ...item, _ref, shapeIdentifier, ...fields });
    const update = {
      ...{ intent: "item/updateComponent/item", itemId: "{{ t.id }}", language: "en" },
      component: { componentId: "one", singleLine: { text: "a" } },
    };
    const file = (results: object) =>
      fileOf(
        ...[shape("one"), shape("two"), created("t", "one"), created("other", "two", { itemId })],
        JSON.stringify({ ...update, ...results }),
      );
    expect(await issuesOf(file({}))).toEqual([]);
    const issues = await issuesOf(file({ _results: { t: { id: { value: itemId } } } }));
    expect(issues).toEqual([expect.stringContaining(" /operations/4/component/componentId ")]);
  });
});
