import { describe, expect, it } from "vitest";
import { checkOperationFile, fileLimits } from "../../src/index.ts";
import { check, fileOf, issuesOf, positionOf, streamOf } from "./support/files.ts";

const valid = '{"intent": "item/delete", "itemId": "0123456789abcdef01234567"}';

describe("a file that is not JSON", () => {
  it.each([
    ["is empty", "", "EmptyFile  1:1"],
    ["holds only white space", " \n ", "EmptyFile  2:2"],
    ["holds only a byte order mark", "\uFEFF", "EmptyFile  1:1"],
    ["is a text", "hello", "InvalidJson  1:1"],
    ["has a key without quotes", "{version: 1}", "InvalidJson  1:2"],
    ["lacks a colon", '{"version" "1.0.0"}', "InvalidJson  1:12"],
    ["lacks a value", '{"version": }', "InvalidJson /version 1:13"],
    ["lacks a comma between members", '{"version": "1.0.0" "operations": []}', "InvalidJson  1:21"],
    ["lacks a comma between operations", fileOf(`${valid} ${valid}`), "InvalidJson /operations 2:65"],
    ["has a comma before the first operation", fileOf("", valid), "InvalidJson /operations 2:1"],
    ["has a comma after the last operation", fileOf(valid, ""), "InvalidJson /operations 2:64"],
    ["has a bracket too many", '{"version": "1.0.0", "operations": []]}', "InvalidJson  1:38"],
    ["has a broken escape in a key", '{"a\\x": 1}', "InvalidJson  1:5"],
    ["continues after its end", `${fileOf()}\n{}`, "ContentAfterEnd  4:1"],
  ])("a file that is not JSON is an error with its position: it %s", async (_, content, issue) => {
    expect(await issuesOf(content)).toEqual([`error ${issue}`]);
  });

  it.each([
    ["after the last operation", fileOf(valid, ""), 'there is a comma before "]": remove it'],
    ["after the last member", '{"version": "1.0.0", }', 'there is a comma before "}": remove it'],
    ["in an operation", fileOf('{"a": [1, ]}'), 'there is a comma before "]": remove it'],
    ["twice between fields", fileOf('{"a": "Shelf",, "b": 2}'), "there are two commas in a row: remove one"],
    ["twice in a list", fileOf('{"a": [1,,2]}'), "there are two commas in a row: remove one"],
    ["twice between operations", fileOf(`${valid},, ${valid}`), "there are two commas in a row: remove one"],
    ["twice between members", '{"version": "1.0.0",, "a": 1}', "there are two commas in a row: remove one"],
    ["between operations", fileOf(`${valid} ${valid}`), 'a comma is missing before "{"'],
    ["between members", '{"version": "1.0.0" "operations": []}', "a comma is missing before '\"'"],
    ["between fields", fileOf('{"a": 1 "b": 2}'), "a comma is missing before '\"'"],
    ["in a list", fileOf('{"a": [1 [2]]}'), 'a comma is missing before "["'],
  ])("a missing or extra comma is named: %s", async (_, content, message) => {
    expect((await check(content)).issues[0]?.message).toBe(message);
  });

  it.each([
    ["has a comma before a brace", '{"a": 1, }', ", }"],
    ["has a comma before a bracket", '{"a": [1,\n]}', ",\n]"],
    ["has single quotes", "{'a': 1}", "'"],
    ["has a word that is none", '{"a": trve}', "ve"],
    ["has a word that is cut short", '{"a": tru}', "}"],
    ["has a number with a leading zero", '{"a": 012}', "12"],
    ["has a number that ends with its point", '{"a": 1.}', "}"],
    ["has a number without digits", '{"a": -x}', "x"],
    ["has an exponent without digits", '{"a": 1e+}', "}"],
    ["has a line feed in a string", '{"a": "x\ny"}', "\n"],
    ["has an unknown escape", '{"a": "\\x41"}', "x41"],
    ["has an escape with a wrong digit", '{"a": "\\u00g0"}', "g0"],
    ["has brackets that do not match", '{"a": [1}}', "}}"],
    ["has a string without its end", '{"a": "x, "b": 1}', "b"],
    ["has a key alone", '{"a"}', "}"],
    ["has two values", '{"a": 1 2}', "2"],
    ["has a non-ASCII word", '{"a": é}', "é"],
  ])("an operation that is not JSON is an error with its position: %s", async (_, operation, offending) => {
    const content = fileOf(valid, `  ${operation}`, valid);
    const position = positionOf(operation, offending);
    const [line, column] = position.split(":").map(Number);
    expect(await issuesOf(content)).toEqual([
      `error InvalidJson /operations/1 ${line! + 2}:${column! + (line === 1 ? 2 : 0)}`,
    ]);
  });

  it("a broken scalar among the operations is an error", async () => {
    expect(await issuesOf(fileOf("tru"))).toEqual(["error InvalidJson /operations/0 2:4"]);
  });

  it("a file cut off at any byte is an error at its end, and the operations before it are checked", async () => {
    const content = fileOf(valid, '{"intent": "item/delete", "itemId": "ä😀"}');
    const bytes = Buffer.from(content);
    for (let length = 1; length < bytes.length; length++) {
      const report = await check(bytes.subarray(0, length));
      const [issue] = report.issues.slice(-1);
      const before = bytes.toString("utf8", 0, length).replace(/\uFFFD+$/, "");
      expect(issue).toMatchObject({ severity: "error", code: "TruncatedFile" });
      expect(`${issue?.line}:${issue?.column}`).toBe(positionOf(`${before}§`, "§"));
    }
  });
});

describe("a file in another encoding", () => {
  it("a file in UTF-16 is an error that names the encoding", async () => {
    const report = await check(Buffer.from(`\uFEFF${fileOf()}`, "utf16le"));
    expect(report.issues).toMatchObject([
      { code: "InvalidEncoding", message: expect.stringContaining("UTF-16") },
    ]);
  });

  it("a byte that is not UTF-8 is an error, wherever chunks end", async () => {
    const start = fileOf(valid, '{"intent": "漢\\n').slice(0, -3);
    const bytes = Buffer.concat([Buffer.from(start), Buffer.from([0xe9]), Buffer.from('"}]}')]);
    for (const size of [1, 2, 5, 1000]) {
      const { issues } = await checkOperationFile(streamOf(bytes, size));
      expect(issues).toMatchObject([
        { code: "InvalidEncoding", pointer: "/operations/1", operationIndex: 1 },
      ]);
      expect(`${issues[0]?.line}:${issues[0]?.column}`).toBe(positionOf(`${start}§`, "§"));
    }
  });

  it("the replacement character itself is allowed", async () => {
    expect(await issuesOf(fileOf('{"intent": "customer/create", "identifier": "\uFFFD"}'))).toEqual([]);
  });
});

describe("a file of the wrong shape", () => {
  it.each([
    ["is a list", "[]", "WrongType  1:1"],
    ["is a string", ' "a"', "WrongType  1:2"],
    ["has no version", '\n {"operations": []}', "MissingField  2:2"],
    ["has no operations", '{"version": "1.0.0"}', "MissingField  1:1"],
    ["has a version of two numbers", '{"version": "1.0", "operations": []}', "InvalidVersion /version 1:13"],
    ["has a number for a version", '{"version": 1, "operations": []}', "InvalidVersion /version 1:13"],
    [
      "has operations that are no list",
      '{"version": "1.0.0", "operations": {}}',
      "WrongType /operations 1:36",
    ],
    [
      "has two versions",
      '{"version": "1.0.0", "version": "1.0.0", "operations": []}',
      "DuplicateKey /version 1:33",
    ],
    [
      "has operations twice",
      '{"version": "1.0.0", "operations": [], "operations": []}',
      "DuplicateKey /operations 1:54",
    ],
    ["has NUL in a key", '{"version": "1.0.0", "operations": [], "\\u0000": 1}', "NulCharacter /\uFFFD 1:50"],
    [
      "has NUL outside of operations",
      '{"version": "1.0.0", "operations": [], "$schema": "\\u0000"}',
      "NulCharacter /$schema 1:52",
    ],
  ])("a file of the wrong shape is an error with its position: it %s", async (_, content, issue) => {
    expect(await issuesOf(content)).toEqual([`error ${issue}`]);
  });

  it("an operation that is a list, a number or null is an error", async () => {
    expect(await issuesOf(fileOf("[]", "1", "null"))).toEqual([
      "error WrongType /operations/0 2:1",
      "error WrongType /operations/1 3:1",
      "error WrongType /operations/2 4:1",
    ]);
  });

  it("an unknown member is a warning, and an error when strict", async () => {
    const content = '{"versoin": "1.0.0", "version": "1.0.0", "operations": []}';
    const { issues } = await check(content);
    expect(issues).toMatchObject([
      { severity: "warning", code: "UnknownField", pointer: "/versoin", line: 1, column: 13 },
    ]);
    expect(issues[0]?.message).toContain('did you mean "version"?');
    expect(await issuesOf(content, { strict: true })).toEqual(["error UnknownField /versoin 1:13"]);
  });

  it("a value larger than 16 MiB is an error", { tags: "release" }, async () => {
    const large = `{"a": "${"x".repeat(16 * 1024 * 1024)}"}`;
    expect(await issuesOf(fileOf(valid, large))).toEqual(["error TooLarge /operations/1 3:1"]);
  });

  it("an operation with too many values is an error", async () => {
    const list = (values: number) => `{"a": [${"[],".repeat((values - 2) / 2)}1]}`;
    const { values } = fileLimits;
    expect(await issuesOf(fileOf(valid, list(values + 2)))).toEqual(["error TooLarge /operations/1 3:1"]);
    expect(await issuesOf(fileOf(valid, list(values)))).not.toContain("error TooLarge /operations/1 3:1");
  });

  it("an unterminated string, which swallows the rest of the file, is an error", async () => {
    const broken = `{"a": "x\n${"y".repeat(17 * 1024 * 1024)}`;
    expect(await issuesOf(fileOf(valid, broken))).toEqual(["error InvalidJson /operations/1 3:9"]);
  });
});

describe("nesting", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  it("values may be nested 64 deep, including the levels of the file itself", async () => {
    expect(await issuesOf(fileOf(`{"intent": "item/delete", "x": ${nested(61)}}`))).not.toContainEqual(
      expect.stringContaining("NestedTooDeep"),
    );
    const { issues } = await check(fileOf(`{"x": ${nested(62)}}`, valid));
    expect(issues).toMatchObject([{ code: "NestedTooDeep", operationIndex: 0, line: 2, column: 7 + 61 }]);
  });

  it("a million nested brackets are refused immediately", async () => {
    expect(await issuesOf(fileOf(nested(1_000_000)))).toEqual(["error NestedTooDeep /operations/0 2:63"]);
    expect(await issuesOf(fileOf("[".repeat(1_000_000)))).toEqual(["error NestedTooDeep /operations/0 2:63"]);
    expect(await issuesOf(`{"x": ${nested(64)}, "version": "1.0.0", "operations": []}`)).toEqual([
      "error NestedTooDeep /x 1:70",
    ]);
  });
});

describe("a valid file", () => {
  it("a file may begin with a byte order mark, which has no column", async () => {
    expect(await issuesOf(`\uFEFF${fileOf(valid)}`)).toEqual([]);
    expect(await issuesOf(`\uFEFF{"version": 1, "operations": []}`)).toEqual([
      "error InvalidVersion /version 1:13",
    ]);
  });

  it("a file may have no operations", async () => {
    expect(await check(fileOf())).toMatchObject({
      version: "1.0.0",
      operations: 0,
      errorCount: 0,
      issues: [],
    });
  });

  it("a file may name its schema, order its members freely, and escape its keys", async () => {
    const content = `{"operations": [${valid}], "$schema": "./x.json", "\\u0076ersion": "10.20.30"}`;
    expect(await check(content)).toMatchObject({ version: "10.20.30", operations: 1, issues: [] });
  });

  it("the report has the size and SHA-256 of the file, valid or not", async () => {
    const hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    const progress: number[] = [];
    const report = await checkOperationFile(streamOf("hello", 2), {
      onProgress: (bytes) => progress.push(bytes),
    });
    expect(report).toMatchObject({ bytes: 5, sha256: hello, version: null, operations: 0 });
    expect(progress).toEqual([2, 4, 5]);
  });
});
