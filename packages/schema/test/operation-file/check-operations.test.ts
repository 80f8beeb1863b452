import { describe, expect, it } from "vitest";
import { inRelease } from "../../../../test/support/extent.ts";
import { check, fileOf, issuesOf, positionOf } from "./support/files.ts";

const id = "0123456789abcdef01234567";
const remove = (fields: string) => `{"intent": "item/delete", ${fields}}`;

describe("an issue of an operation", () => {
  it("an issue has its operation's number and its value's position, in a file of several lines", async () => {
    const content = fileOf(
      remove(`"itemId": "${id}"`),
      `{\n  "intent": "product/upsert",\n  "_ref": "tshirt",\n  "language": "en",\n  "name": "é😀", "shapeIdentifier": "p", "variants": [\n    {"name": "x", "sku": 7}\n  ]\n}`,
    );
    const { issues } = await check(content);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: "error",
      code: "WrongType",
      pointer: "/operations/1/variants/0/sku",
      operationIndex: 1,
      intent: "product/upsert",
      ref: "tshirt",
    });
    expect(`${issues[0]?.line}:${issues[0]?.column}`).toBe(positionOf(content, "7}"));
  });

  it("columns count UTF-16 units, also before the operation and on one line", async () => {
    const content = `{"$schema": "é😀漢", "version": "1.0.0", "operations": [${remove(`"itemId": "${id}"`)}, ${remove('"x😀": 1, "itemId": 7')}]}`;
    const { issues } = await check(content);
    expect(issues.map(({ pointer, column }) => [pointer, `1:${column}`])).toEqual([
      ["/operations/1/itemId", positionOf(content, "7}")],
      ["/operations/1/x😀", positionOf(content, '1, "itemId": 7')],
    ]);
  });

  it("a missing field is reported at the object that lacks it", async () => {
    const content = fileOf(
      '{"intent": "product/upsert", "language": "en", "name": "x", "shapeIdentifier": "p",\n "variants": [{"name": "x"}]}',
    );
    expect(await issuesOf(content)).toEqual([
      `error MissingField /operations/0/variants/0/sku ${positionOf(content, '{"name": "x"}')}`,
    ]);
  });

  it("an issue ten levels deep has its position", async () => {
    const chunk = (inner: string) => `{"componentId": "c", "contentChunk": {"chunks": [[${inner}]]}}`;
    const piece = (inner: string) =>
      `{"componentId": "p", "piece": {"identifier": "x", "components": [${inner}]}}`;
    const content = fileOf(
      `{"intent": "item/updateComponent/item", "itemId": "${id}", "language": "en",\n "component": ${chunk(piece('{"componentId": "n",\n "numeric": {"number": "many"}}'))}}`,
    );
    const { issues } = await check(content);
    expect(issues).toMatchObject([
      { pointer: "/operations/0/component/contentChunk/chunks/0/0/piece/components/0/numeric/number" },
    ]);
    expect(`${issues[0]?.line}:${issues[0]?.column}`).toBe(positionOf(content, '"many"'));
  });

  it("an unknown intent is reported with the nearest one, and the operation still counts", async () => {
    const { issues, operations } = await check(fileOf('{"intent": "product/upset", "_ref": "a"}'));
    expect(issues).toMatchObject([{ code: "UnknownIntent", intent: "product/upset", ref: "a", column: 12 }]);
    expect(issues[0]?.message).toContain('"product/upsert"');
    expect(operations).toBe(1);
  });

  it("an unknown field is a warning that names the nearest one, and an error when strict", async () => {
    const content = fileOf(remove(`"itemID": 1, "itemId": "${id}"`));
    const { issues } = await check(content);
    expect(issues).toMatchObject([
      { severity: "warning", code: "UnknownField", pointer: "/operations/0/itemID" },
    ]);
    expect(issues[0]?.message).toContain('did you mean "itemId"?');
    expect(await issuesOf(content, { strict: true })).toEqual([
      "error UnknownField /operations/0/itemID 2:37",
    ]);
  });

  it("an issue escapes its JSON pointer", async () => {
    const { issues } = await check(fileOf(remove(`"a/b~c": 1, "itemId": "${id}"`)));
    expect(issues[0]?.pointer).toBe("/operations/0/a~1b~0c");
  });
});

describe("text that cannot be stored", () => {
  it.each([
    ["NUL", `"itemId": "\\u0000"`, "NulCharacter", "\\u0000"],
    ["NUL in a key", `"\\u0000": 1`, "NulCharacter", "\\u0000"],
    ["a high surrogate alone", `"itemId": "a\\ud83dx"`, "UnpairedSurrogate", "\\ud83d"],
    ["a low surrogate alone", `"itemId": "\\uDE00"`, "UnpairedSurrogate", "\\uDE00"],
    ["two high surrogates", `"itemId": "\\ud83d\\ud83d\\ude00"`, "UnpairedSurrogate", "\\ud83d"],
    ["an escaped backslash before one that is not", `"itemId": "\\\\\\u0000"`, "NulCharacter", "\\u0000"],
  ])("text that cannot be stored is an error at the escape: %s", async (_, field, code, written) => {
    const content = fileOf(remove(field));
    const found = (await issuesOf(content)).filter((issue) => issue.includes(code));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(` ${positionOf(content, written)}$`));
  });

  it("text that cannot be stored is found everywhere, even after a repeated key", async () => {
    const hidden = `{"intent": "item/delete", "itemId": "\\u0000", "itemId": "${id}"}`;
    expect(await issuesOf(fileOf(hidden))).toContain("error NulCharacter /operations/0/itemId 2:38");
  });

  it("surrogate pairs and escaped backslashes are not mistaken for text that cannot be stored", async () => {
    const text = '"😀 \\ud83d\\ude00 \\\\u0000 \\\\ud800 \\u00e9"';
    expect(
      await issuesOf(fileOf(`{"intent": "customer/create", "identifier": "a", "firstName": ${text}}`)),
    ).toEqual([]);
  });

  it("text that cannot be stored never gets into the issues", async () => {
    const { issues } = await check(
      fileOf('{"intent": "a\\u0000\\ud800", "_ref": "b\\u0000\\ud800", "c\\u0000\\ud800": 1}'),
    );
    const told = issues.flatMap((issue) => Object.values(issue)).filter((value) => typeof value === "string");
    expect(told.filter((text) => text.includes("\0") || !text.isWellFormed())).toEqual([]);
    expect(issues.length).toBeGreaterThan(2);
  });
});

describe("what JSON.parse changes silently", () => {
  const numeric = (number: string) =>
    `{"intent": "item/updateComponent/item", "itemId": "${id}", "language": "en", "component": {"componentId": "n", "numeric": {"number": ${number}}}}`;

  it.each(["9007199254740993", "123456789.12345678901", "1e-400", "1.00000000000000000001"])(
    "a number that JSON.parse changes is a warning, and an error when strict: %s",
    async (number) => {
      const content = fileOf(numeric(number));
      const position = positionOf(content, number);
      expect(await issuesOf(content)).toContain(
        `warning ChangedNumber /operations/0/component/numeric/number ${position}`,
      );
      expect(await issuesOf(content, { strict: true })).toContain(
        `error ChangedNumber /operations/0/component/numeric/number ${position}`,
      );
    },
  );

  it.each([
    "0.1",
    "100",
    "1e2",
    "1.0",
    "1.50",
    "9007199254740992",
    "0.30000000000000004",
    "1E+2",
    "1000000000000000000000",
  ])("a number that JSON.parse keeps gives no warning: %s", async (number) => {
    expect(await issuesOf(fileOf(numeric(number)), { strict: true })).toEqual([]);
  });

  it("a number too large for any type is reported as a wrong type and as a change", async () => {
    const { issues } = await check(fileOf(numeric("-1e400")));
    expect(issues.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "WrongType: expected number, got a number too large to be read (beyond 1.8e308)",
      "ChangedNumber: is a number too large to be read (beyond 1.8e308); write it as a string where one is allowed",
    ]);
  });

  it("a repeated key is a warning at its second position, and an error when strict", async () => {
    const content = fileOf(remove(`"itemId": "x", "itemId": "${id}"`), remove(`"itemId": "${id}"`));
    const position = positionOf(content, '"itemId"', 2);
    expect(await issuesOf(content)).toEqual([`warning DuplicateKey /operations/0/itemId ${position}`]);
    expect(await issuesOf(content, { strict: true })).toEqual([
      `error DuplicateKey /operations/0/itemId ${position}`,
    ]);
  });

  it("the same key in two objects is not repeated, and neither is __proto__", async () => {
    const content = fileOf(
      `{"intent": "customer/create", "identifier": "a", "meta": [{"key": "k", "value": "v"}, {"key": "k", "value": "v"}]}`,
    );
    expect(await issuesOf(content)).toEqual([]);
    expect(await issuesOf(fileOf(remove(`"__proto__": 1, "itemId": "${id}"`)))).toEqual([
      "warning UnknownField /operations/0/__proto__ 2:40",
    ]);
  });

  it("an error about a repeated key has the position of the last one", async () => {
    const content = fileOf(remove('"itemId": "first", "itemId": "second"'));
    expect(await issuesOf(content)).toContain(
      `error InvalidValue /operations/0/itemId ${positionOf(content, '"second"')}`,
    );
  });
});

describe("large numbers of issues", () => {
  it("5,000 issues are all counted, and the first 1,000 listed", async () => {
    const content = fileOf(...Array.from({ length: 5_000 }, (_, index) => remove(`"itemId": ${index}`)));
    const report = await check(content);
    expect(report).toMatchObject({ operations: 5_000, errorCount: 5_000, warningCount: 0 });
    expect(report.issues.map(({ operationIndex }) => operationIndex)).toEqual([...Array(1_000).keys()]);
    expect(report.issues[999]?.line).toBe(1_001);
  });

  it("errors come before warnings, wherever they are in the file", async () => {
    const warned = Array.from({ length: 1_500 }, () => remove(`"x": 1, "itemId": "${id}"`));
    const { issues, ...report } = await check(
      fileOf(...warned, remove('"itemId": 1'), ...warned, remove('"itemId": 2')),
    );
    expect(report).toMatchObject({ errorCount: 2, warningCount: 3_000 });
    expect(issues).toHaveLength(1_000);
    expect(issues.map(({ operationIndex }) => operationIndex).slice(0, 4)).toEqual([1_500, 3_001, 0, 1]);
    expect(issues.slice(2).every(({ severity }) => severity === "warning")).toBe(true);
  });

  it("many issues in one operation are located in bounded time", async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => `\n  {"itemId": ${index}}`);
    const content = fileOf(
      `{"intent": "order/register", "customer": {"identifier": "c"}, "cart": [${items}]}`,
    );
    const { issues } = await check(content);
    expect(issues).toHaveLength(1_000);
    expect(issues.at(-1)?.line).toBeGreaterThan(100);
  });

  it("issues are short, however long the file's texts are", async () => {
    const long = "x".repeat(100_000);
    const { issues } = await check(
      fileOf(`{"intent": "${long}", "_ref": "${long}", "${long}": 1}`, remove(`"${long}": 1`)),
    );
    expect(issues.length).toBeGreaterThan(1);
    expect(JSON.stringify(issues).length).toBeLessThan(10_000);
  });
});

describe("a large file", () => {
  it("a large file is checked to its end, where its only issue is", async () => {
    const bytes = inRelease ? 200_000_000 : 20_000_000;
    const html = "<p>Wool is warm, linen is cool, and both are dear.</p>".repeat(2_000);
    const operation = JSON.stringify({
      intent: "item/updateComponent/item",
      itemId: id,
      language: "en",
      component: { componentId: "body", richText: { html } },
    });
    const chunk = Buffer.from(`${operation},\n`.repeat(5));
    const chunks = Math.ceil(bytes / chunk.length);
    async function* large() {
      yield Buffer.from('{"version": "1.0.0", "operations": [\n');
      for (let index = 0; index < chunks; index++) yield chunk;
      yield Buffer.from(`${remove('"itemId": 1')}]}`);
    }
    const { checkOperationFile } = await import("../../src/index.ts");
    const report = await checkOperationFile(large());
    expect(report.bytes).toBeGreaterThan(bytes);
    expect(report.operations).toBe(chunks * 5 + 1);
    expect(report.issues).toMatchObject([{ operationIndex: chunks * 5, line: chunks * 5 + 2, column: 37 }]);
  });
});

describe("operations that are JSON", () => {
  it("every operation that is JSON is reported in order, with its position and name, valid or not", async () => {
    const seen: unknown[] = [];
    const content = fileOf('{"intent": "nope", "_ref": "a"}', "7", `  ${remove(`"itemId": "${id}"`)}`, "{");
    await check(content, {
      onOperation: ({ index, text, start, end, intent, ref, line, column }) =>
        seen.push([index, text === content.slice(start, end), intent, ref, line, column]),
    });
    expect(seen).toEqual([
      [0, true, "nope", "a", 2, 1],
      [1, true, null, null, 3, 1],
      [2, true, "item/delete", null, 4, 3],
    ]);
  });
});

describe("strict", () => {
  it("strict makes every warning an error, with the same position and message", async () => {
    const content = fileOf(
      `{"intent": "customer/upsert", "_ref": "defaults", "identifier": "", "x": 1, "x": 1e-400, "firstName": "{{ gone.id }}{{ later.id }}{{ uppper 'x' }}{{ defaults.no }}"}`,
      `{"intent": "piece/upsert", "_ref": "later", "identifier": "seo", "name": "SEO", "components": [{"id": "a", "type": "numeric", "config": {"singleLine": {}}}]}`,
      `{"intent": "customer/upsert", "_ref": "later", "identifier": "{{ later.nothing }}"}`,
    );
    const lenient = await check(content);
    expect(new Set(lenient.issues.map(({ severity }) => severity))).toEqual(new Set(["warning"]));
    expect(new Set(lenient.issues.map(({ code }) => code))).toEqual(
      new Set([
        ...[
          "InvalidValue",
          "UnknownField",
          "ChangedNumber",
          "DuplicateKey",
          "UnusedField",
          "UndefinedReference",
        ],
        ...["ForwardReference", "UnknownHelper", "UnknownDefault", "ReservedReference", "DuplicateReference"],
        ...["UnknownProperty", "WrongConfig"],
      ]),
    );
    const strict = await check(content, { strict: true });
    expect(strict).toMatchObject({ errorCount: lenient.warningCount, warningCount: 0 });
    expect(strict.issues).toEqual(lenient.issues.map((issue) => ({ ...issue, severity: "error" })));
  });
});
