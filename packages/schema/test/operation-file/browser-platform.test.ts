import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import * as browser from "../../src/platform/browser.ts";
import * as node from "../../src/platform/node.ts";
import { check, fileOf } from "./support/files.ts";

const example = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../examples/${name}.json`, import.meta.url)));

/** Texts and bytes on which platforms could differ. */
const samples = [
  "",
  "plain",
  "\uFEFFmarked",
  "é€😀",
  "half \uD83D pair",
  "\uDE00 other half",
  Uint8Array.of(0xff),
  Uint8Array.of(0x61, 0xe2, 0x82, 0x62),
  Uint8Array.of(0xf0, 0x9f, 0x98),
  Uint8Array.of(0xed, 0xa0, 0x80, 0xc0, 0xaf, 0xf5),
];

it.each(samples)("a browser decodes and encodes %j as Node does", (sample) => {
  const bytes = Buffer.from(sample);
  const text = node.textOf(bytes);
  expect(browser.textOf(bytes)).toBe(text);
  expect(browser.isUtf8(bytes)).toBe(node.isUtf8(bytes));
  const asText = typeof sample === "string" ? sample : text;
  expect([...browser.encoded(asText)]).toEqual([...node.encoded(asText)]);
  expect(browser.byteLength(asText)).toBe(node.byteLength(asText));
});

it("a browser's hash equals Node's for every length around a block, in any chunks", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 7) % 256));
    const [ours, theirs] = [browser.sha256(), node.sha256()];
    for (let at = 0; at < length; at += 37) ours.update(bytes.subarray(at, at + 37));
    theirs.update(bytes);
    expect(ours.hex(), `${length} bytes`).toBe(theirs.hex());
  }
});

it("both platforms have the same exports", () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});

describe("a file has the same report in a browser as in the service", () => {
  afterAll(() => {
    vi.resetModules(); // the module loaded for a browser
  });
  const operation = (fields: string) => `{"intent": "customer/group/upsert", "identifier": "a", ${fields}}`;
  const files: Record<string, string | Uint8Array> = {
    "every intent": example("every-intent"),
    "the quickstart": example("quickstart"),
    "is not UTF-8": Buffer.concat([
      Buffer.from('{"version": "1.0.0", "operations": [{"é😀": "'),
      Buffer.of(0xe2, 0x82),
      Buffer.from('"}]}'),
    ]),
    "is UTF-16": Buffer.from("\uFEFF{}", "utf16le"),
    "has a byte order mark": `\uFEFF${fileOf(operation('"nam": "é😀"'))}`,
    "breaks off": fileOf(operation('"name": "x"')).slice(0, -20),
    "nests too deep": "[".repeat(100_000),
    "has problems behind characters of many bytes": fileOf(
      operation('"name": "é😀", "nam": 1'),
      operation('"name": 12345678901234567890, "x": "\\u0000"'),
      operation('"name": "{{ missing.identifier }} 😀 {{#if}}"'),
    ),
  };
  it.each(Object.entries(files))("that %s", async (_, content) => {
    vi.resetModules();
    vi.doMock("#platform", () => browser);
    const { checkOperationFile } = await import("../../src/operation-file/check/check-operation-file.ts");
    const inBrowser = await checkOperationFile(new Blob([Buffer.from(content)]).stream());
    vi.doUnmock("#platform");
    expect(inBrowser).toEqual(await check(content));
  });
});
