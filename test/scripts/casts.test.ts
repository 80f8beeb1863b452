import { describe, expect, test } from "vitest";
import { castsIn } from "../../scripts/lint/casts.ts";

const casts = (...lines: string[]) => castsIn("source.ts", `${lines.join("\n")}\n`);
const unexplained = (...lines: string[]) => casts(...lines).filter(({ isUnexplained }) => isUnexplained);

describe("casts", () => {
  test.each(["x as string", "x as unknown as string", "x as never"])("`%s` counts as one cast", (cast) => {
    expect(casts(`f(${cast});`)).toHaveLength(1);
  });

  test.each([
    ["as const", "const x = [1] as const;"],
    ["an import under another name", `import { a as b, type c as d } from "./e.ts";`],
    ["a namespace", `import * as all from "./e.ts";`],
    ["words in a text or a comment", "const x = `as string`; // as string"],
    ["satisfies", "const x = 1 satisfies number;"],
  ])("%s does not count as a cast", (_what, line) => {
    expect(casts(line)).toEqual([]);
  });
});

describe("a cast to never, or through unknown", () => {
  test.each(["as never", "as unknown as string"])("the cast `%s` is found without a comment", (cast) => {
    expect(unexplained("", `const y = x ${cast};`)).toMatchObject([{ line: 2, text: `x ${cast}` }]);
  });

  test.each([
    ["on its line", ["const y = x as never; // the compiler cannot know"]],
    ["above its line", ["f(", "  // the compiler cannot know", "  x as never,", ");"]],
    ["above its statement", ["// the compiler cannot know", "const y = f(", "  1,", "  x as never,", ");"]],
  ])("the comment of a cast may be %s", (_where, lines) => {
    expect(unexplained(...lines)).toEqual([]);
  });

  test("a comment elsewhere does not explain a cast", () => {
    expect(unexplained("// about another line", "", "const y = x as never;")).toHaveLength(1);
  });
});
