import { expect, test } from "vitest";
import { inCode, inPage, inText } from "../../scripts/lint/words.ts";

const rules = (text: string) => inCode("source.ts", text).map(({ rule }) => rule);

test.each(["What it does.", "Whether it is open.", "How long it takes.", "Who asks."])(
  "a doc comment must not begin with a question: %s",
  (comment) => {
    expect(rules(`/** ${comment} */\nconst x = 1;`)).toEqual([
      "a doc comment begins with a verb or a noun phrase",
    ]);
    expect(rules(`/**\n * ${comment}\n */\nconst x = 1;`)).toHaveLength(1);
  },
);

test.each([
  "/** The time it takes. */",
  "/** Returns what was sent. */",
  "// What follows is sorted.",
  '"/** What a text is. */";',
])("the words of this text are fine: %s", (text) => {
  expect(rules(`${text}\n`)).toEqual([]);
});

test('"is no" before a noun is reported in code, pages and other files, with its line', () => {
  const text = `it${" is no"} key`;
  expect(inPage("page.md", `\n${text}\n`)).toEqual([
    { rule: '"is not a" instead of "is no"', path: "page.md", line: 2, text },
  ]);
  expect(rules(`// ${text}`)).toHaveLength(1);
  expect(inText("schema.sql", `-- ${text}`)).toHaveLength(1);
});

test.each(["there is no key", "it is no longer open", "it is no more than ten"])(
  'this use of "is no" is English: %s',
  (text) => {
    expect(inPage("page.md", text)).toEqual([]);
  },
);

test("a line has at most 120 characters, except in tables", () => {
  expect(rules(`// ${"x".repeat(117)}`)).toEqual([]);
  expect(rules(`// ${"x".repeat(118)}`)).toEqual(["at most 120 characters a line"]);
  expect(inText("schema.sql", `-- ${"x".repeat(118)}`)).toHaveLength(1);
  expect(inPage("page.md", `| ${"x".repeat(130)} |`)).toEqual([]);
});
