import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { checkOperationFile, type FileReport } from "../../src/index.ts";
import { locate, offsetInString } from "../../src/operation-file/read/locate.ts";
import { positionsOf } from "../../src/operation-file/read/position.ts";
import { fileOf, positionAt, streamOf } from "./support/files.ts";

/** Text that is hard to locate: escapes, characters of one to four bytes, line ends, braces. */
const hardText = fc.string({
  unit: fc.constantFrom(
    '"',
    "\\",
    "/",
    "{{",
    "}}",
    "[",
    "\n",
    "\r",
    "\t",
    "é",
    "漢",
    "😀",
    "a",
    "\u2028",
    "~",
  ),
});
const json = fc.oneof(
  hardText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(hardText, fc.jsonValue({ maxDepth: 2 })),
);
const indent = fc.constantFrom(0, 1, "\t");

function pointersOf(value: unknown, pointer = ""): string[] {
  if (value === null || typeof value !== "object") return [pointer];
  const members = Object.entries(value).flatMap(([key, member]) =>
    pointersOf(member, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [pointer, ...members];
}

/** The value with a mark in place of the one at the pointer. */
function marked(value: unknown, pointer: string, mark: unknown, at = ""): unknown {
  if (at === pointer) return mark;
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, member]) => {
    const inner = `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [key, marked(member, pointer, mark, inner)] as const;
  });
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

describe("for any JSON value", () => {
  it("the pointer of every JSON value leads to its position", () => {
    fc.assert(
      fc.property(json, indent, fc.nat(), (value, space, pick) => {
        const pointers = pointersOf(value);
        const pointer = pointers[pick % pointers.length]!;
        const text = JSON.stringify(marked(value, pointer, "§mark§"), null, space);
        expect(locate(text, [pointer]).get(pointer)).toBe(text.indexOf('"§mark§"'));
        expect(locate(text, [`${pointer}/none`, pointer]).get(`${pointer}/none`)).toBe(
          text.indexOf('"§mark§"'),
        );
      }),
    );
  });

  it("every offset in a string leads to its character in the text", () => {
    fc.assert(
      fc.property(hardText, hardText, (before, after) => {
        const text = JSON.stringify(`${before}§${after}`);
        expect(text[offsetInString(text, 0, before.length)]).toBe("§");
      }),
    );
  });

  it("positions equal those counted by hand", () => {
    fc.assert(
      fc.property(hardText, hardText, fc.array(fc.nat(), { maxLength: 5 }), (before, text, picks) => {
        const [line, column] = positionAt(before, before.length).split(":").map(Number);
        const offsets = picks.map((pick) => pick % (text.length + 1)).sort((a, b) => a - b);
        const positions = positionsOf(text, offsets, {
          ...{ line: line!, column: column! },
          start: Buffer.byteLength(before),
        });
        expect(positions.map((position) => `${position.line}:${position.column}`)).toEqual(
          offsets.map((offset) => positionAt(before + text, before.length + offset)),
        );
        expect(positions.map(({ offset }) => offset)).toEqual(
          offsets.map((offset) => {
            // Half of a surrogate pair has the position of the pair.
            const characters = text.slice(0, offset).replace(/[\ud800-\udbff]$/, "");
            return Buffer.byteLength(before) + Buffer.byteLength(characters);
          }),
        );
      }),
    );
  });
});

const operation = fc.record({
  intent: fc.constant("customer/create"),
  identifier: fc.constant("a"),
  x: json,
});

describe("for any file", () => {
  it("a wrong value anywhere in a file has its position, whatever the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 1, maxLength: 5 }),
        indent,
        fc.nat(),
        fc.integer({ min: 1, max: 100 }),
        async (operations, space, pick, size) => {
          const index = pick % operations.length;
          const wrong = operations.map((value, at) =>
            at === index ? { ...value, identifier: ["§"] } : value,
          );
          const content = fileOf(...wrong.map((value) => JSON.stringify(value, null, space)));
          const { issues } = await checkOperationFile(streamOf(content, size));
          const issue = issues.find(({ code }) => code === "WrongType");
          expect(issue).toMatchObject({ operationIndex: index, pointer: `/operations/${index}/identifier` });
          const valueAt = content.lastIndexOf("[", content.indexOf('"§"'));
          expect(`${issue?.line}:${issue?.column}`).toBe(positionAt(content, valueAt));
          expect(issue?.offset).toBe(Buffer.byteLength(content.slice(0, valueAt)));
        },
      ),
    );
  });

  it("the report of a file does not depend on the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(json, { maxLength: 4 }),
        fc.array(fc.nat(300), { maxLength: 20 }),
        async (values, cuts) => {
          const content = Buffer.from(fileOf(...values.map((value) => JSON.stringify(value))));
          const inside = cuts.filter((cut) => cut < content.length);
          const reports = await Promise.all(
            [streamOf(content, content.length), streamOf(content, inside)].map((s) => checkOperationFile(s)),
          );
          expect(reports[0]).toEqual(reports[1]);
        },
      ),
    );
  });
});

const damage = fc.record({
  at: fc.nat(),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc
      .constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "\\u", "\n", "\0", "é", "1", "-", "e", "t")
      .map((text) => Buffer.from(text)),
  ),
  removed: fc.nat(3),
});

const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

/** A parser's result for the whole text: the value, or where it stops if it says so. */
function naive(bytes: Uint8Array): { value: unknown } | { offset: number | undefined } {
  try {
    return { value: JSON.parse(decode(bytes)) };
  } catch (error) {
    const position = /JSON at position (\d+)/.exec((error as Error).message)?.[1];
    return { offset: position === undefined ? undefined : Number(position) };
  }
}

const jsonCodes = ["EmptyFile", "InvalidJson", "InvalidEncoding", "TruncatedFile", "ContentAfterEnd"];

describe("for any damage to a file", () => {
  it("the check of a damaged file ends, and says where a text is not JSON", async () => {
    const base = fileOf(
      '{"intent": "item/delete", "_ref": "ä", "itemId": "{{ b.id }}"}',
      '{"a": [1.5e3, "\\u00e9😀", null, true]}',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const bytes = damages.reduce<Buffer>((before, { at, bytes, removed }) => {
          const start = at % (before.length + 1);
          return Buffer.concat([before.subarray(0, start), bytes, before.subarray(start + removed)]);
        }, Buffer.from(base));
        const report = await checkOperationFile(streamOf(bytes, 7));
        expectPlaced(report, bytes);
        compareWithNaive(report, bytes);
      }),
      { numRuns: runs(3_000) },
    );
  });
});

/** Every issue is somewhere in the file, or just after its end. */
function expectPlaced({ issues }: FileReport, bytes: Buffer): void {
  const lines = bytes
    .toString()
    .replace(/^\uFEFF/, "")
    .split("\n");
  for (const { line, column, offset } of issues) {
    const before = bytes
      .subarray(0, offset!)
      .toString()
      .replace(/^\uFEFF/, "");
    // Part of a byte order mark has no column.
    if (!before.includes("\uFFFD")) expect(`${line}:${column}`).toBe(positionAt(before, before.length));
    expect(line).toBeGreaterThan(0);
    expect(column).toBeGreaterThan(0);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeLessThanOrEqual(lines[line! - 1]!.length + 1);
  }
}

function compareWithNaive({ issues, errorCount }: FileReport, bytes: Buffer): void {
  const expected = naive(bytes);
  const found = issues.find(({ code }) => jsonCodes.includes(code));
  const isFile = !issues.some(({ code, pointer }) => code === "WrongType" && pointer === "");
  if (!isFile) return; // a value that is not an object is read no further
  if ("value" in expected) expect(found).toBeUndefined();
  else expect(errorCount).toBeGreaterThan(0);
  if (!("offset" in expected) || expected.offset === undefined || found?.code === "InvalidEncoding") return;
  if (issues.some(({ code }) => code === "DuplicateKey")) return;
  if (found?.message.startsWith("there is a comma before")) return; // its position is the comma's
  expect(`${found?.line}:${found?.column}`).toBe(positionAt(decode(bytes), expected.offset));
}
