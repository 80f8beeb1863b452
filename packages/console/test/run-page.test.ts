import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { jsonSchemaFile } from "@lading/schema/internal";
import { describe, expect, test } from "vitest";
import { positionIn } from "../src/pages/run/editor/markers.ts";
import { excerptAround } from "../src/pages/run/editor/operation-around.ts";
import { insertionOf } from "../src/pages/run/editor/snippet.ts";
import { excerptBytes, excerptLines } from "../src/pages/run/excerpt-lines.ts";
import {
  noOptions,
  optionsOf,
  type Readiness,
  reasonNotToStart,
} from "../src/pages/run/start/start-options.ts";
import { check } from "../src/pages/run/worker/check.ts";
import { languageService, suggestionsAt } from "../src/pages/run/worker/complete.ts";
import { unpack } from "../src/pages/run/worker/unpack.ts";
import { bytesText } from "../src/ui/format.ts";

const context = () => ({ signal: new AbortController().signal, onBytes: () => {} });
const fileOf = (...operations: object[]) => JSON.stringify({ version: "1.0.0", operations }, null, 1);
const group = (i: number) => ({ intent: "customer/group/upsert", identifier: `g${i}`, name: `Group ${i}` });

/** A gzip file; truncated by `missing` bytes if given. */
const gzip = (content: string | Buffer, missing = 0) =>
  new Blob([new Uint8Array(gzipSync(content)).slice(0, missing === 0 ? undefined : -missing)]);

describe("a compressed file", () => {
  test("that is incomplete, or not gzip, is refused", async () => {
    for (const file of [gzip(fileOf(group(1)), 9), new Blob(["{}"])])
      await expect(unpack({ file, maxBytes: 1_000 }, context())).rejects.toThrow("not a complete gzip file");
  });

  test("with more content than the tenant may send is refused before all of it is decompressed", async () => {
    const file = gzip(Buffer.alloc(50_000_000));
    let read = 0;
    const refused = unpack(
      { file, maxBytes: 1024 ** 2 },
      {
        ...context(),
        onBytes: (bytes) => {
          read = bytes;
        },
      },
    );
    await expect(refused).rejects.toThrow("The file has more than 1 MiB of JSON, this tenant’s limit");
    expect(read).toBeLessThan(2 * 1024 ** 2);
  });

  test("decompresses to its content", async () => {
    const text = fileOf(...Array.from({ length: 100_000 }, (_, i) => group(i)));
    const unpacked = await unpack({ file: gzip(text), maxBytes: 1e9 }, context());
    expect((await unpacked.text()) === text).toBe(true);
  });

  test("is aborted when no longer needed", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    const file = gzip(fileOf(group(1)));
    await expect(unpack({ file, maxBytes: 1e9 }, { ...context(), signal })).rejects.toThrow("gone");
  });
});

test("the checks name every issue, and its byte", async () => {
  const text = `\uFEFF${fileOf(group(1), { ...group(2), name: 12 }, { ...group(3), naïve: "ü" })}`;
  const { issues, errorCount, warningCount } = await check(new Blob([text]), context());
  expect([errorCount, warningCount]).toEqual([1, 1]);
  const bytes = Buffer.from(text);
  expect(
    issues.map(({ offset }) =>
      bytes
        .subarray(offset ?? 0)
        .toString()
        .slice(0, 3),
    ),
  ).toEqual(["12\n", '"ü"']);
});

describe("the lines around a position", () => {
  /** The excerpt around the first occurrence of a text. */
  function around(text: string, wanted: string, most = excerptBytes) {
    const at = text.indexOf(wanted);
    const before = text.slice(0, at).split("\n");
    const offset = Buffer.byteLength(text.slice(0, at));
    const start = Math.max(0, offset - most);
    const bytes = Buffer.from(text).subarray(start, offset + most);
    const position = { offset, line: before.length, column: (before.at(-1) ?? "").length + 1 };
    return { lines: excerptLines(bytes, start, position), position };
  }

  test("have their numbers, and end where the file does", () => {
    const { lines } = around("one\r\ntwo\nthree", "two");
    expect(lines).toEqual([
      { number: 1, text: "one", column: 1, isCut: false },
      { number: 2, text: "two", column: 1, isCut: false },
      { number: 3, text: "three", column: 1, isCut: false },
    ]);
  });

  test("before it are only those read completely, and begin with a whole character", () => {
    const text = `${"ü".repeat(30)}\n${"é".repeat(10)}\nhere\nthere`;
    const { lines } = around(text, "here", 30);
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [2, "é".repeat(10)],
      [3, "here"],
      [4, "there"],
    ]);
  });

  test("are at most twenty on each side", () => {
    const text = Array.from({ length: 200 }, (_, i) => `line ${i + 1}.`).join("\n");
    const { lines } = around(text, "line 100.");
    expect([lines[0]?.number, lines.length]).toEqual([80, 41]);
  });

  test("show a part of a line of megabytes, containing the position", () => {
    const text = `[${Array.from({ length: 20_000 }, (_, i) => `"größe-${i}"`).join(",")}]`;
    const { lines, position } = around(text, '"größe-15000"');
    expect(lines).toHaveLength(1);
    const [line = { text: "", column: 0, isCut: false }] = lines;
    expect(line.text.slice(position.column - line.column)).toMatch(/^"größe-15000","größe-15001"/);
    expect([line.text.length, line.isCut]).toEqual([400, true]);
    expect(text.slice(line.column - 1)).toContain(line.text);
  });
});

describe("a file", () => {
  const report = {
    ...{ version: "1.0.0", operations: 3, bytes: 10, sha256: "", issues: [] },
    ...{ errorCount: 0, warningCount: 0 },
  };
  const ready: Readiness = {
    ...{ isEmpty: false, isSettled: true },
    ...{ check: { report }, options: noOptions },
  };

  test.each<[string, Partial<Readiness>, RegExp]>([
    ["that is empty", { isEmpty: true, check: {} }, /no file/],
    ["that was edited just now", { isSettled: false }, /^Checking/],
    ["that is being checked again", { check: { report, bytes: 5 } }, /^Checking/],
    ["that could not be checked", { check: { report, error: new Error() } }, /could not be checked/],
    ["with errors", { check: { report: { ...report, errorCount: 2 } } }, /^Fix 2 errors/],
    ["without operations", { check: { report: { ...report, operations: 0 } } }, /no operations/],
    [
      "with warnings that is to be strict",
      { check: { report: { ...report, warningCount: 1 } }, options: { ...noOptions, strict: true } },
      /^Fix 1 warning /,
    ],
    ["to be held after none", { options: { ...noOptions, holdAfter: "0" } }, /Hold after … .* at least 1/],
    [
      "to end above half a failure",
      { options: { ...noOptions, maxFailures: "0.5" } },
      /Stop above … .* at least 0/,
    ],
    ["to be held on too many", { options: { ...noOptions, holdOnFailures: "3000000000" } }, /Hold at/],
  ])("%s is not started", (_, changed, reason) => {
    expect(reasonNotToStart({ ...ready, ...changed })).toMatch(reason);
  });

  test("with warnings is started", () => {
    const check = { report: { ...report, warningCount: 4 } };
    expect(reasonNotToStart({ ...ready, check })).toBeUndefined();
  });

  test("is run with the options as typed, and planned without those that hold a run", () => {
    const typed = { strict: true, holdAfter: "100", holdOnFailures: "", maxFailures: "0" };
    expect(reasonNotToStart({ ...ready, options: typed })).toBeUndefined();
    expect(optionsOf(typed, "run")).toEqual({ kind: "run", strict: true, holdAfter: 100, maxFailures: 0 });
    expect(optionsOf(typed, "plan")).toEqual({ kind: "plan", strict: true, maxFailures: 0 });
  });

  test.each([
    [0, "0 bytes"],
    [1_023, "1,023 bytes"],
    [1_434, "1.4 KiB"],
    [5 * 1024 ** 2, "5 MiB"],
    [1024 ** 4, "1,024 GiB"],
  ])("of %i bytes has its size in words: %s", (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});

describe("the editor", () => {
  const stateOf = (doc: string) => EditorState.create({ doc, extensions: json() });

  test("marks the nearest position if the text has become shorter since an issue was found", () => {
    const { doc } = stateOf("one\ntwo");
    expect([positionIn(doc, 2, 2), positionIn(doc, 2, 90), positionIn(doc, 9, 1)]).toEqual([5, 7, 4]);
  });

  test.each([
    ['"name": "$1"', '"name": "', "", '"'],
    [`"isDefault": \${1:false}`, '"isDefault": ', "false", ""],
    [`\${1|a,b|}`, "", "a", ""],
    [`\${1:{\\}}`, "", "{}", ""],
    ["[$2, $1, $0]", "[, ", "", ", ]"],
    ["\\$5 \\\\ 3 $ 2", "$5 \\ 3 $ 2", "", ""],
  ])("inserts %s with the first placeholder selected", (snippet, before, selected, after) => {
    const { text, from, to } = insertionOf(snippet);
    expect([text.slice(0, from), text.slice(from, to), text.slice(to)]).toEqual([before, selected, after]);
  });

  test("completes within an operation, whatever surrounds it", () => {
    const text = `${fileOf(group(1), group(2)).slice(0, -3)}, { "intent": "customer/group/upsert", " }, {{{`;
    const excerpt = excerptAround(stateOf(text), text.indexOf('" }') + 1);
    expect(excerpt?.text).toMatch(
      /^\{"version":"1\.0\.0","operations":\[\{ "intent": "customer\/group\/upsert", "/,
    );
    expect(excerpt?.text).not.toContain("g2");
  });

  test("completes outside of operations by the whole text, unless that is long", () => {
    expect(excerptAround(stateOf('{ "'), 3)).toEqual({ text: '{ "', shift: 0 });
    expect(excerptAround(stateOf(`{ "a": "${"x".repeat(300_000)}", "`), 3)).toBeUndefined();
  });

  test("completes by the JSON Schema, whichever one the file names", async () => {
    const service = languageService(readFileSync(jsonSchemaFile, "utf8"));
    const labelsAt = async (text: string) => {
      const found = await suggestionsAt(service, text.replace("|", ""), text.indexOf("|"));
      return found.map(({ label }) => label);
    };
    const head = '{"$schema": "https://attacker.example/x.json", "operations": [{ ';
    expect(await labelsAt(`${head}"intent": "|" }]}`)).toContain('"product/upsert"');
    expect(await labelsAt(`${head}"intent": "customer/group/upsert", "|" }]}`)).toEqual(
      expect.arrayContaining(["identifier", "name", "_ref"]),
    );
  });
});
