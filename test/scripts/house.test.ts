import { describe, expect, test } from "vitest";
import type { Counts } from "../../scripts/house/coverage.ts";
import { figuresOf } from "../../scripts/house/source.ts";
import { differences, stepsOf } from "../../scripts/house/walk.ts";

const figures = (...lines: string[]) => figuresOf("source.ts", `${lines.join("\n")}\n`);

describe("casts", () => {
  test.each(["x as string", "x as unknown as string", "x as never"])("`%s` is one", (cast) => {
    expect(figures(`f(${cast});`).casts).toBe(1);
  });

  test.each([
    ["as const", "const x = [1] as const;"],
    ["an import under another name", `import { a as b, type c as d } from "./e.ts";`],
    ["a namespace", `import * as all from "./e.ts";`],
    ["words in a text or a comment", "const x = `as string`; // as string"],
    ["satisfies", "const x = 1 satisfies number;"],
  ])("%s is none", (_what, line) => {
    expect(figures(line).casts).toBe(0);
  });
});

describe("a cast to never, or through unknown", () => {
  test.each(["as never", "as unknown as string"])("`%s` is found without a comment", (cast) => {
    expect(figures("", `const y = x ${cast};`).unexplained).toEqual([{ line: 2, text: `x ${cast}` }]);
  });

  test.each([
    ["on its line", ["const y = x as never; // the compiler cannot know"]],
    ["above its line", ["f(", "  // the compiler cannot know", "  x as never,", ");"]],
    ["above its statement", ["// the compiler cannot know", "const y = f(", "  1,", "  x as never,", ");"]],
  ])("may have its comment %s", (_where, lines) => {
    expect(figures(...lines).unexplained).toEqual([]);
  });

  test("is not explained by a comment elsewhere", () => {
    expect(figures("// about another line", "", "const y = x as never;").unexplained).toHaveLength(1);
  });
});

test("any is found as a type, and not as a word", () => {
  expect(figures("// any", "let any: any;").any).toEqual([{ line: 2, text: "any" }]);
});

test("lines and functions are counted", () => {
  const { lines, functions } = figures("const f = () => 1;", "function g() {", "  return 2;", "}");
  expect(lines).toBe(4);
  expect(functions).toEqual([
    { line: 1, lines: 1 },
    { line: 2, lines: 3 },
  ]);
});

describe("the walk", () => {
  const counts = (files: Record<string, string[]>): Counts =>
    new Map(
      Object.entries(files).map(([path, names]) => [path, new Map(names.map((name) => [name, 1] as const))]),
    );
  const command = "service/src/commands/order/create.ts";

  test("is a numbered list of files and functions", () => {
    const page =
      "<!-- walk -->\n\n1. `service/commands/order/create.ts` `keys`, `execute`: text\n\n<!-- end of walk -->\n";
    expect(stepsOf(page)).toEqual([{ file: command, functions: ["keys", "execute"] }]);
  });

  test("lacks a file that runs for each operation", () => {
    const ran = counts({ [command]: ["execute"], "service/src/http/server.ts": ["listen"] });
    expect(differences([], ran, ran)).toEqual([`${command} runs (execute) and is not on the walk`]);
  });

  test("names no function that does not run", () => {
    const ran = counts({ [command]: ["execute"] });
    expect(differences([{ file: command, functions: ["execute", "gone"] }], ran, ran)).toEqual([
      `ARCHITECTURE.md: gone of ${command} does not run for a product/upsert`,
    ]);
  });

  test("has a limit of files", () => {
    const steps = Array.from({ length: 31 }, (_, i) => ({ file: `service/src/${i}.ts`, functions: [] }));
    expect(differences(steps, new Map(), new Map())).toEqual(["ARCHITECTURE.md: the walk has 31 files"]);
  });
});
