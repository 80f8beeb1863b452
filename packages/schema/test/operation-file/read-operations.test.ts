import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OperationFileError, type OperationText, readOperations } from "../../src/index.ts";
import { streamOf } from "./support/files.ts";

async function read(
  content: string | Uint8Array,
  cuts?: number | readonly number[],
): Promise<OperationText[]> {
  return (await Array.fromAsync(readOperations(streamOf(content, cuts)))).flat();
}

const texts = async (content: string, cuts?: number) => (await read(content, cuts)).map(({ text }) => text);

describe("readOperations, given invalid input", () => {
  it.each([
    ["a file that ends within an operation", '{"operations": [{"a": 1'],
    ["a file that ends between operations", '{"operations": [{"a": 1},'],
    ["an empty file", ""],
    ["a list", "[]"],
    ["an operation without a comma before it", '{"operations": [{} {}]}'],
  ])("readOperations refuses %s", async (_, content) => {
    await expect(read(content)).rejects.toThrow(OperationFileError);
  });

  it("readOperations refuses an operation of more than 16 MiB, in one chunk or in many", async () => {
    const content = `{"operations": [{}, {"a": "${"x".repeat(16 * 1024 * 1024)}"}]}`;
    await expect(read(content)).rejects.toThrow("line 1, column 21: this value is larger than 16 MiB");
    await expect(read(content, content.length)).rejects.toThrow("this value is larger than 16 MiB");
  });

  it("readOperations refuses bytes that are not UTF-8, with their offset", async () => {
    const content = Buffer.from('{"operations": [{"a": "caf\xe9"}]}', "latin1");
    await expect(read(content)).rejects.toThrow("column 27: byte 0xE9 at offset 26 of the file is not UTF-8");
  });
});

describe("readOperations", () => {
  it("readOperations passes on the stream's errors", async () => {
    async function* broken() {
      yield Buffer.from('{"operations": [{},');
      throw new Error("disk on fire");
    }
    await expect(Array.fromAsync(readOperations(broken()))).rejects.toThrow("disk on fire");
  });

  it("the list of operations is found only at the top level, wherever the version is", async () => {
    const decoy = '"x": {"operations": [1]}, "y": "\\"operations\\": [2]"';
    expect(await texts(`{${decoy}, "operations": [{"a": 1}], "version": "1.0.0"}`)).toEqual(['{"a": 1}']);
    expect(await texts('{"version": "1.0.0", "operations": [{"a": 1}]}')).toEqual(['{"a": 1}']);
    expect(await texts('{"version": "1.0.0"}')).toEqual([]);
  });

  it("the list of operations is found if its key is written with escapes", async () => {
    expect(await texts('{"\\u006fperations": [{}]}')).toEqual(["{}"]);
  });

  it("brackets and quotes within strings are not mistaken for those outside", async () => {
    const operations = ['{"a": "]}\\"{["}', '{"\\\\": "\\\\"}', '{"b": ["}", {"c": "]"}]}'];
    expect(await texts(`{"operations": [${operations.join(", ")}]}`, 1)).toEqual(operations);
  });

  it("scalars among the operations are yielded unchanged", async () => {
    expect(await texts('{"operations": [1, "a" , null,true]}', 3)).toEqual(["1", '"a"', "null", "true"]);
  });

  it("readOperations accepts a byte order mark, even in pieces", async () => {
    expect(await texts('\uFEFF{"operations": [{}]}', 1)).toEqual(["{}"]);
  });

  it("reading stops at the end of the list, and closes the stream", async () => {
    let closed = false;
    async function* endless() {
      try {
        yield Buffer.from('{"operations": [{"a": 1}], ');
        throw new Error("read too far");
      } finally {
        closed = true;
      }
    }
    expect(await Array.fromAsync(readOperations(endless()))).toHaveLength(1);
    expect(closed).toBe(true);
  });

  it("each chunk yields the operations it completes, or nothing", async () => {
    const content = '{"operations": [{"a": 1}, {"b": 2}, {"c": 3}]}';
    const yielded = await Array.fromAsync(readOperations(streamOf(content, [20, 24, 40])));
    expect(yielded.map((some) => some.map(({ text }) => text))).toEqual([
      ['{"a": 1}'],
      ['{"b": 2}'],
      ['{"c": 3}'],
    ]);
  });
});

const hardText = fc.string({
  unit: fc.constantFrom(
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "é",
    "漢",
    "😀",
    "a",
    "\u2028",
    "\0",
    "\uD800",
  ),
});
const operation = fc.dictionary(hardText, fc.oneof(hardText, fc.jsonValue({ maxDepth: 3 })));
const space = fc.constantFrom("", " ", "\n", "\r\n\t ");

const file = fc
  .record({
    operations: fc.array(operation, { maxLength: 8 }),
    space,
    indent: fc.constantFrom(0, 2),
    bom: fc.boolean(),
  })
  .map(({ operations, space, indent, bom }) => {
    const written = operations.map((value) => JSON.stringify(value, null, indent));
    const before = `${bom ? "\uFEFF" : ""}${space}{${space}"version"${space}: "1.0.0",${space}"operations":[${space}`;
    return { content: `${before}${written.join(`${space},${space}`)}${space}]${space}}${space}`, written };
  });

describe("readOperations, for any file in any chunks", () => {
  it("readOperations finds what a naive parse finds, at the same positions", async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.array(fc.nat(400), { maxLength: 30 }), async ({ content, written }, cuts) => {
        const bytes = Buffer.from(content);
        const found = await read(
          content,
          cuts.filter((cut) => cut < bytes.length),
        );
        expect(found.map(({ text }) => text)).toEqual(written);
        expect(found.map(({ index }) => index)).toEqual(written.map((_, index) => index));
        for (const { start, end, text } of found) expect(bytes.toString("utf8", start, end)).toBe(text);
      }),
    );
  });

  it("reading resumes after any operation", async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.nat(), fc.integer({ min: 1, max: 50 }), async ({ content }, pick, size) => {
        const all = await read(content);
        fc.pre(all.length > 0);
        const last = all[pick % all.length]!;
        const rest = streamOf(Buffer.from(content).subarray(last.end), size);
        const resumed = readOperations(rest, { offset: last.end, index: last.index + 1 });
        expect((await Array.fromAsync(resumed)).flat()).toEqual(all.slice(last.index + 1));
      }),
    );
  });
});
