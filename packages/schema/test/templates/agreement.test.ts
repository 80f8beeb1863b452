import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import type { BlockUse, CallUse } from "../../src/templates/analyse/analyse.ts";
import { blockKind, misuseOfBlock } from "../../src/templates/blocks.ts";
import { Failure } from "../../src/templates/evaluate/failure.ts";
import { type Renderer, type Run, runTemplate } from "../../src/templates/evaluate/run.ts";
import { helperNames, misuseOf, operationHelpers, readers } from "../../src/templates/helpers.ts";
import { TemplateSyntaxError } from "../../src/templates/parse/syntax-error.ts";
import { rendererOf, usesOf } from "../../src/templates/template.ts";

const name = fc.constantFrom("a", "b", "c", "p", "q", "upload", "lookup", "if", "defaults", "constructor");
const root = fc.constantFrom("", "", "", "this.", "./", "../", "../../", "@root.", "@");
const data = fc.constantFrom("@index", "@key", "@../index", "@first", "@root", "this", ".", "..", "p.q");
const path = fc
  .tuple(root, fc.array(name, { minLength: 1, maxLength: 3 }))
  .map(([start, names]) => start + names.join("."));
const literal = fc.constantFrom('"a"', "'b'", "1", "0", "true", "null", "undefined");
const helper = fc.constantFrom("lookup", "lookup", "valueOf", "upload", "fetchOrderById", "b", "each");

const { part } = fc.letrec<{ argument: string; call: string; part: string }>((tie) => ({
  argument: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    path,
    data,
    literal,
    tie("call").map((inner) => `(${inner})`),
    tie("call").map((inner) => `(${inner}).c`),
  ),
  call: fc
    .tuple(helper, fc.array(tie("argument"), { maxLength: 3 }), fc.option(tie("argument"), { freq: 9 }))
    .map(([called, args, named]) => [called, ...args, ...(named === null ? [] : [`k=${named}`])].join(" ")),
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("text", "{{!a}}", "{{> a}}", "{{#> a}}{{/a}}", "\\{{a}}", "{{{{raw}}}}{{a}}{{{{/raw}}}}"),
    fc.oneof(path, data, literal, tie("call"), tie("argument")).map((inner) => `{{ ${inner} }}`),
    fc
      .tuple(
        fc.constantFrom("#if", "^if", "#unless", "#with", "#each", "#each", "#raw", "^with", "#other"),
        fc.array(tie("argument"), { minLength: 1, maxLength: 1 }),
        fc.constantFrom("", "", "as |p|", "as |p q|", "includeZero=a.b"),
        fc.array(tie("part"), { maxLength: 3 }),
        fc.option(fc.tuple(fc.constantFrom("else", "^", "else if a", "else with b as |p|"), tie("part"))),
      )
      .map(([opening, args, rest, body, inverse]) => {
        const otherwise = inverse === null ? "" : `{{${inverse[0]}}}${inverse[1]}`;
        const head = [opening, ...(opening === "#raw" ? [] : args), rest].join(" ");
        return `{{${head}}}${body.join("")}${otherwise}{{/${opening.slice(1)}}}`;
      }),
  ),
}));
const template = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));

/** A value of any result property: it has them all. */
const output = (depth = 0): unknown =>
  depth === 4
    ? "text"
    : { a: output(depth + 1), b: [output(depth + 1), "entry"], c: 0, p: "p", q: { id: "q" }, upload: "u" };

/** Renders a template. Returns the names of the operations it read, and the failure if there is one. */
function rendered(renderer: Renderer): { asked: Set<string>; thrown: unknown } {
  const asked = new Set<string>();
  const lookup = (name: string) => {
    asked.add(name);
    return { index: 0, status: "success", output: output() } as const;
  };
  const helpers = Object.fromEntries(
    Object.keys(operationHelpers)
      .filter((name) => name !== "valueOf")
      .map((name) => [name, () => output()]),
  );
  const scope = { lookup, names: () => [], defaults: { a: "default", b: ["x"] }, helpers };
  const counts = { calls: 0, steps: 0, maxSteps: 20_000, output: 0 };
  const run: Run = { scope, rendering: {}, results: [], ...counts };
  try {
    runTemplate(renderer, run);
    return { asked, thrown: undefined };
  } catch (thrown) {
    return { asked, thrown };
  }
}

function hasWrongBlock(text: string): boolean {
  const { blocks, unsupported } = usesOf(text);
  const isWrong = (use: BlockUse) => blockKind(use.name) === undefined || misuseOfBlock(use) !== undefined;
  return unsupported.length > 0 || blocks.some(isWrong);
}

function isWrong(text: string): boolean {
  const isWrongCall = (use: CallUse) => readers.includes(use.name) && misuseOf(use) !== undefined;
  return hasWrongBlock(text) || usesOf(text).helpers.some(isWrongCall);
}

const parses = (text: string): boolean => {
  try {
    usesOf(text);
    return true;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return false;
    throw error;
  }
};

test("a template reads no operation that its analysis does not find", () => {
  fc.assert(
    fc.property(template.filter(parses), (text) => {
      let renderer: Renderer;
      try {
        renderer = rendererOf(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect(isWrong(text)).toBe(true);
        return;
      }
      const { asked, thrown } = rendered(renderer);
      const found = usesOf(text).references.map(({ name }) => name);
      expect([...asked].filter((name) => !found.includes(name))).toEqual([]);
      if (thrown !== undefined) expect(thrown).toBeInstanceOf(Failure);
    }),
    { numRuns: runs(1_000) },
  );
});

test("a template with a wrong block, a partial or a decorator, according to the analysis, is not compiled", () => {
  fc.assert(
    fc.property(template.filter(parses), (text) => {
      if (hasWrongBlock(text)) expect(() => rendererOf(text)).toThrow(Failure);
    }),
    { numRuns: runs(500) },
  );
});

test("a call of an unknown helper fails, and the analysis finds it", () => {
  fc.assert(
    fc.property(template.filter(parses), (text) => {
      if (isWrong(text)) return;
      const { thrown } = rendered(rendererOf(text));
      if (!(thrown instanceof Failure) || !thrown.explain().includes("There is no helper")) return;
      expect(usesOf(text).helpers.some(({ name }) => !helperNames.includes(name))).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});
