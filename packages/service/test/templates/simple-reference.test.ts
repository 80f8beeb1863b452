import { parseTemplate } from "@lading/schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Program } from "../../src/templates/ast.ts";
import { compileProgram } from "../../src/templates/compile.ts";
import { type Run, rootFrame } from "../../src/templates/run.ts";
import { templateOf } from "../../src/templates/template.ts";
import { scopeOf } from "./support/scope.ts";

const scope = scopeOf({
  results: Object.fromEntries(
    ["a", "elsewhere", "thisOne", "nulls", "true1", "_x"].map((name, index) => [
      name,
      {
        index,
        status: "success" as const,
        output: { id: { value: name }, else: 1, elsewhere: 2, as: 3, _: 4, a1: "five" },
      },
    ]),
  ),
});

function outcome(compile: () => ReturnType<typeof templateOf>): unknown {
  const counted = { answers: [], calls: 0, steps: 0, limit: 100, output: 0 };
  const run: Run = { scope, rendering: {}, callsAllowed: true, ...counted };
  try {
    return { text: compile()(run, rootFrame), steps: run.steps, output: run.output };
  } catch (error) {
    const { message, explain, code, absence } = error as Error & {
      explain?: () => string;
      code?: string;
      absence?: boolean;
    };
    return { message: explain?.() ?? message, code, absence };
  }
}

test("a single reference does what it does when it is parsed", () => {
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
      const parsed = outcome(() => compileProgram(parseTemplate(text) as Program));
      expect(outcome(() => templateOf(text))).toEqual(parsed);
    }),
    { numRuns: 2000 },
  );
});
