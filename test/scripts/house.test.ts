import { describe, expect, test } from "vitest";
import type { Counts } from "../../scripts/house/coverage.ts";
import { figuresOf } from "../../scripts/house/source.ts";
import { differences, stepsOf } from "../../scripts/house/walk.ts";

const figures = (...lines: string[]) => figuresOf("source.ts", `${lines.join("\n")}\n`);

describe("casts", () => {
  test.each(["x as string", "x as unknown as string", "x as never"])("`%s` counts as one cast", (cast) => {
    expect(figures(`f(${cast});`).casts).toBe(1);
  });

  test.each([
    ["as const", "const x = [1] as const;"],
    ["an import under another name", `import { a as b, type c as d } from "./e.ts";`],
    ["a namespace", `import * as all from "./e.ts";`],
    ["words in a text or a comment", "const x = `as string`; // as string"],
    ["satisfies", "const x = 1 satisfies number;"],
  ])("%s does not count as a cast", (_what, line) => {
    expect(figures(line).casts).toBe(0);
  });
});

describe("a cast to never, or through unknown", () => {
  test.each(["as never", "as unknown as string"])("the cast `%s` is found without a comment", (cast) => {
    expect(figures("", `const y = x ${cast};`).unexplained).toEqual([{ line: 2, text: `x ${cast}` }]);
  });

  test.each([
    ["on its line", ["const y = x as never; // the compiler cannot know"]],
    ["above its line", ["f(", "  // the compiler cannot know", "  x as never,", ");"]],
    ["above its statement", ["// the compiler cannot know", "const y = f(", "  1,", "  x as never,", ");"]],
  ])("the comment of a cast may be %s", (_where, lines) => {
    expect(figures(...lines).unexplained).toEqual([]);
  });

  test("a comment elsewhere does not explain a cast", () => {
    expect(figures("// about another line", "", "const y = x as never;").unexplained).toHaveLength(1);
  });
});

test("the type any is counted, and the word is not", () => {
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
  const command = "service/src/domain/order/create.ts";

  test("the walk is a numbered list of files and functions", () => {
    const page =
      "<!-- walk -->\n\n1. `service/domain/order/create.ts` `keys`, `execute`: text\n\n<!-- end of walk -->\n";
    expect(stepsOf(page)).toEqual([{ file: command, functions: ["keys", "execute"] }]);
  });

  test("a file that runs for each operation must be on the walk", () => {
    const ran = counts({ [command]: ["execute"], "service/src/http/server.ts": ["listen"] });
    expect(differences([], ran, ran)).toEqual([`${command} runs (execute) and is not on the walk`]);
  });

  test("a function on the walk must run", () => {
    const ran = counts({ [command]: ["execute"] });
    expect(differences([{ file: command, functions: ["execute", "gone"] }], ran, ran)).toEqual([
      `ARCHITECTURE.md: gone of ${command} does not run for a product/upsert`,
    ]);
  });

  test("the walk has at most the allowed number of files", () => {
    const steps = Array.from({ length: 31 }, (_, i) => ({ file: `service/src/${i}.ts`, functions: [] }));
    expect(differences(steps, new Map(), new Map())).toEqual(["ARCHITECTURE.md: the walk has 31 files"]);
  });
});
