import { describe, expect, test } from "vitest";
import { figuresOf } from "../../scripts/house/source.ts";

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
