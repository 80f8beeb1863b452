import { parse } from "@handlebars/parser";
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { analyse } from "../../src/templates/analyse/analyse.ts";
import { compileProgram } from "../../src/templates/evaluate/compile.ts";
import { type Renderer, type Run, runTemplate } from "../../src/templates/evaluate/run.ts";
import type { ReferenceValue, TemplateScope } from "../../src/templates/evaluate/template-scope.ts";
import { parsePaths, plainPath } from "../../src/templates/parse/plain-path.ts";
import { explainParserError } from "../../src/templates/parse/syntax-error.ts";
import type { Program } from "../../src/templates/parse/syntax-tree.ts";
import { rendererOf, usesOf } from "../../src/templates/template.ts";

describe("plainPath", () => {
  it.each([
    "{{ a }}",
    "{{ a.b",
    "x{{ a.b }}",
    "{{ this.a }}",
    "{{ a.this }}",
    "{{ else.a }}",
    "{{ a.[0] }}",
    "{{ a.b c }}",
    "{{ ../a.b }}",
  ])("plainPath leaves %s to the parser", (template) => {
    expect(plainPath(template)).toBeUndefined();
  });

  it("plainPath reads a path as the parser does", () => {
    const name = fc.stringMatching(/^[a-z_]?[\w-]{1,5}$/);
    const word = fc.constantFrom(
      "else",
      "this",
      "true",
      "elsewhere",
      "as",
      "if",
      "defaults",
      "null-x",
      "a-b",
    );
    const template = fc
      .tuple(fc.array(fc.oneof(name, word), { minLength: 2, maxLength: 4 }), fc.constantFrom("", " ", "  "))
      .map(([names, space]) => `{{${space}${names.join(".")}${space}}}`);
    let read = 0;
    fc.assert(
      fc.property(template, (text) => {
        const path = plainPath(text);
        if (path === undefined) return;
        read++;
        const parsed = parserOf(text);
        const [only, ...others] = parsed.body;
        expect(others).toEqual([]);
        expect(only).toMatchObject({
          type: "MustacheStatement",
          params: [],
          path: { parts: path, depth: 0, data: false },
        });
        const spared = usesOf(text);
        expect([...spared.references, ...spared.defaults]).toHaveLength(1);
        expect(spared).toEqual(analyse(parsed));
      }),
      { numRuns: runs(3_000) },
    );
    expect(read).toBeGreaterThan(runs(300));
  });
});

describe("parsePaths", () => {
  it.each([
    "no path",
    "a {{b}}",
    "\\{{ a.b }} c",
    "{{{ a.b }}} c",
    "{{ a.b }}} c",
    "a\n{{ b.c }}",
    "{{ a.b }} {{else}}",
    "{{#if a.b}}{{ a.b }}{{/if}}",
    "{{ a.b }} {{~ a.b }}",
  ])("parsePaths leaves %j to the parser", (template) => {
    expect(parsePaths(template)).toBeUndefined();
  });

  it("parsePaths reads texts with paths as the parser does", () => {
    const part = fc.oneof(
      { arbitrary: fc.constantFrom("{{ a.b }}", "{{a.b-c.d}}", "{{  _x.id}}"), weight: 3 },
      { arbitrary: fc.string({ unit: fc.constantFrom(..."{}\\ \r\nx.ö~!&#/'\"[]") }), weight: 1 },
      fc.constantFrom("{", "}", "\\", " é😀 ", "{{", "}}", "{{this.a}}", "{{!-- --}}", "{{ a }}"),
    );
    const text = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    let read = 0;
    fc.assert(
      fc.property(text, (template) => {
        const program = parsePaths(template);
        if (program === undefined) return;
        read++;
        expect(parserOf(template)).toMatchObject(program);
      }),
      { numRuns: runs(5_000) },
    );
    expect(read).toBeGreaterThan(runs(500));
  });
});

/** The tree of the parser itself, which a template of paths does without. */
function parserOf(text: string): Program {
  try {
    return parse(text) as unknown as Program;
  } catch (error) {
    throw explainParserError(text, error as Error);
  }
}

const references = new Map<string, ReferenceValue>(
  ["a", "elsewhere", "thisOne", "nulls", "true1", "_x"].map((name, index) => [
    name,
    {
      index,
      status: "success",
      output: { id: { value: name }, else: 1, elsewhere: 2, as: 3, _: 4, a1: "five" },
    },
  ]),
);

const scope: TemplateScope = {
  lookup: (name) => references.get(name),
  names: () => references.keys(),
  defaults: { rootItemId: "65a0000000000000000000f1" },
  helpers: {},
};

function outcome(compile: () => Renderer): unknown {
  const counted = { results: [], calls: 0, steps: 0, maxSteps: 100, output: 0 };
  const run: Run = { scope, rendering: {}, ...counted };
  try {
    return { text: runTemplate(compile(), run), steps: run.steps, output: run.output };
  } catch (error) {
    const { message, explain, code, absence } = error as Error & {
      explain?: () => string;
      code?: string;
      absence?: boolean;
    };
    return { message: explain?.() ?? message, code, absence };
  }
}

test("a single reference renders the same with and without the parser", () => {
  const name = fc.constantFrom(
    "a",
    "elsewhere",
    "else",
    "thisOne",
    "this",
    "nulls",
    "null",
    "true",
    "true1",
    "false",
    "undefined",
    "_x",
    "as",
    "id",
    "a1",
    "defaults",
    "1a",
    "12",
    "ö",
  );
  const space = fc.constantFrom("", " ", "\n", "\t ", "\u00a0");
  fc.assert(
    fc.property(space, name, name, space, (before, reference, property, after) => {
      const text = `{{${before}${reference}.${property}${after}}}`;
      const parsed = outcome(() => compileProgram(parserOf(text)));
      expect(outcome(() => rendererOf(text))).toEqual(parsed);
    }),
    { numRuns: runs(2000) },
  );
});
