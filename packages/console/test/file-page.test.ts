import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inFileOrder, neighbour } from "../src/pages/file/issues.ts";
import { layoutOf } from "../src/pages/file/layout.ts";
import { firstLine, lineOfFirst, withLines } from "../src/pages/file/line-numbers.ts";
import { failureOf } from "../src/pages/file/note.ts";
import { bytesOfPart, joined, partBytes, partOf, partsAround } from "../src/pages/file/ranges.ts";
import { continues, cutIntoRows, type FileRows, offsetOf, piecesOf, rowAt } from "../src/pages/file/rows.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Texts with lines of any length and characters of one to four bytes. */
const texts = fc
  .array(fc.string({ unit: fc.constantFrom("a", "é", "茶", "😀", '"', " "), maxLength: 120 }), {
    maxLength: 12,
  })
  .map((lines) => lines.join("\n"));

/** A text and the bytes of a part of it, which may begin and end within a character. */
const parts = fc.tuple(texts, fc.nat(), fc.nat()).map(([text, one, other]) => {
  const bytes = encoder.encode(text);
  const [start = 0, end = 0] = [one % (bytes.length + 1), other % (bytes.length + 1)].sort((a, b) => a - b);
  return { text, bytes, start, end, loaded: { bytes: bytes.slice(start, end), start, size: bytes.length } };
});

const widths = fc.integer({ min: 8, max: 60 });

const numbersTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const textOf = (rows: FileRows, row: number) =>
  piecesOf(rows, row)
    .map(({ text }) => text)
    .join("");

describe("the rows of a part of a file", () => {
  test("are no longer than a row may be, and contain whole characters", () => {
    fc.assert(
      fc.property(parts, widths, ({ loaded }, width) => {
        const rows = cutIntoRows(loaded, width);
        for (const row of numbersTo(rows.count)) {
          expect(offsetOf(rows, row + 1) - offsetOf(rows, row)).toBeLessThanOrEqual(width + 1);
          expect(textOf(rows, row)).not.toContain("\ufffd");
        }
      }),
    );
  });

  test("contain every character of the part except those cut at its ends", () => {
    fc.assert(
      fc.property(parts, widths, ({ bytes, start, end, loaded }, width) => {
        const rows = cutIntoRows(loaded, width);
        const shown = numbersTo(rows.count)
          .map((row) => (row === 0 || continues(rows, row) ? "" : "\n") + textOf(rows, row))
          .join("");
        const whole = decoder
          .decode(bytes.slice(start, end))
          .replace(/^\ufffd+/, "")
          .replace(/\ufffd$/, "");
        // A line feed at the end of a part is the end of its last row; after that of the file there is
        // another row.
        expect(shown).toBe(end < bytes.length ? whole.replace(/\n$/, "") : whole);
      }),
    );
  });

  test("begin where the lines do, whatever part is loaded", () => {
    fc.assert(
      fc.property(parts, widths, ({ bytes, start, loaded }, width) => {
        const rows = cutIntoRows(loaded, width);
        for (const row of numbersTo(rows.count).slice(1))
          if (!continues(rows, row)) expect(bytes[offsetOf(rows, row) - 1]).toBe(0x0a);
        expect(continues(rows, 0)).toBe(start > 0);
      }),
    );
  });

  test("are found by the bytes they contain", () => {
    fc.assert(
      fc.property(parts, widths, ({ loaded }, width) => {
        const rows = cutIntoRows(loaded, width);
        for (const row of numbersTo(rows.count)) {
          const [first, next] = [offsetOf(rows, row), offsetOf(rows, row + 1)];
          for (const offset of [first, next - 1]) if (offset >= first) expect(rowAt(rows, offset)).toBe(row);
        }
      }),
    );
  });

  test("are few for a line of ten megabytes, and cut in no time", () => {
    const bytes = new Uint8Array(10 * 1024 * 1024).fill(0x61);
    const rows = cutIntoRows({ bytes, start: 0, size: bytes.length }, 120);
    expect(rows.count).toBe(Math.ceil(bytes.length / 120));
    expect(continues(rows, 1)).toBe(true);
    expect(textOf(rows, 5)).toBe("a".repeat(120));
  });

  test("stay short if the bytes are not UTF-8", () => {
    const rows = cutIntoRows({ bytes: new Uint8Array(1_000).fill(0x80), start: 500, size: 2_000 }, 50);
    for (const row of numbersTo(rows.count)) expect(textOf(rows, row).length).toBeLessThanOrEqual(50);
  });

  test("show control characters, and omit line ends", () => {
    const bytes = encoder.encode("a\u0000b\u001bc\r\nd");
    const rows = cutIntoRows({ bytes, start: 0, size: bytes.length }, 50);
    expect([textOf(rows, 0), textOf(rows, 1)]).toEqual(["a␀b␛c", "d"]);
  });

  test("mark the value at a position, and nothing else", () => {
    const bytes = encoder.encode('{"name": "Té", "n": 12, "x": }');
    const rows = cutIntoRows({ bytes, start: 0, size: bytes.length }, 50);
    const marked = (offset: number) =>
      piecesOf(rows, 0, [offset, 999]).flatMap(({ isMarked, text }) => (isMarked ? [text] : []));
    expect(marked(9)).toEqual(['"Té"']);
    expect(marked(0)).toEqual(["{"]);
    expect(marked(21)).toEqual(["12"]);
    expect(
      piecesOf(rows, 0, [9, 21])
        .map(({ text }) => text)
        .join(""),
    ).toBe('{"name": "Té", "n": 12, "x": }');
  });
});

describe("the failure of an operation", () => {
  const text = `{"name":"Thé","parents":[{"type":"a"},{"type":"b"}]}`;
  const failed = (path: (string | number)[], changes = {}) => ({
    ...{ offset: 100, length: 60, text, isTextCut: false },
    log: {
      ...{ status: "failure" as const, errorName: "ValidationError", message: "wrong" },
      errors: [{ code: "invalid", message: "wrong", path }],
    },
    ...changes,
  });
  const bytesBefore = (part: string) => 100 + Buffer.byteLength(text.slice(0, text.indexOf(part)));

  test("is at its beginning if the error has no path", () => {
    expect(failureOf(failed([]), 3)).toMatchObject({ offset: 100, pointer: "/operations/3" });
    expect(failureOf(failed(["parents", 1], { isTextCut: true }), 3)?.offset).toBe(100);
    expect(failureOf(failed(["parents", 1], { text: null }), 3)?.offset).toBe(100);
  });
  test("is at the value the error is about, or at the one that lacks it", () => {
    const wrong = { offset: bytesBefore(`{"type":"b"`), pointer: "/operations/3/parents/1" };
    expect(failureOf(failed(["parents", 1]), 3)).toMatchObject(wrong);
    expect(failureOf(failed(["parents", 1, "identifier"]), 3)?.offset).toBe(wrong.offset);
  });
});

describe("the loaded parts of a file", () => {
  test("are at most three, contain the position, and are within the file", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (offset, size) => {
        const found = partsAround(offset, size);
        expect(found.length).toBeLessThanOrEqual(3);
        expect(found).toContain(partOf(Math.min(offset, size - 1)));
        for (const part of found) {
          const { start, end } = bytesOfPart(part, size);
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(size);
        }
      }),
    );
  });

  test("are joined without a gap", () => {
    expect([...joined([Uint8Array.of(1, 2, 3), Uint8Array.of(), Uint8Array.of(4)])]).toEqual([1, 2, 3, 4]);
    expect(bytesOfPart(2)).toEqual({ start: 2 * partBytes, end: 3 * partBytes });
  });
});

describe("the lines of a part of a file", () => {
  const lineIn = (bytes: Uint8Array, offset: number) =>
    1 + bytes.slice(0, offset).filter((byte) => byte === 0x0a).length;

  test("are unknown if no line of it is known", () => {
    const bytes = encoder.encode("a\nb\nc");
    const rows = cutIntoRows({ bytes: bytes.slice(2), start: 2, size: 5 }, 50);
    const memory = { known: firstLine(), remembered: [2] };
    expect(lineOfFirst(rows, [{ offset: 1, line: 1 }], memory)).toBeUndefined();
  });

  test("follow from one known line, and stay known for the neighboring part", () => {
    fc.assert(
      fc.property(parts, fc.nat(), ({ bytes, start, end, loaded }, at) => {
        fc.pre(end > start);
        const offset = start + (at % (end - start));
        const known = firstLine();
        const rows = cutIntoRows(loaded, 20);
        const positions = [{ offset, line: lineIn(bytes, offset) }];
        const first = lineIn(bytes, offsetOf(rows, 0));
        expect(lineOfFirst(rows, positions, { known, remembered: [start, end] })).toBe(first);
        const grown = withLines(known, rows, { first, remembered: [start, end] });
        const next = cutIntoRows({ bytes: bytes.slice(end), start: end, size: bytes.length }, 20);
        expect(lineOfFirst(next, [], { known: grown, remembered: [end] })).toBe(
          lineIn(bytes, offsetOf(next, 0)),
        );
      }),
    );
  });
});

test("notes are below the rows with their positions, and every row has its slot", () => {
  fc.assert(
    fc.property(parts, fc.array(fc.nat(), { maxLength: 20 }), ({ loaded }, offsets) => {
      const rows = cutIntoRows(loaded, 20);
      const markers = offsets
        .map((offset) => offset % (loaded.size + 1))
        .sort((a, b) => a - b)
        .map((offset, i) => ({ id: `${i}`, offset }));
      const layout = layoutOf(rows, markers);
      const list = numbersTo(layout.count).map((slot) => layout.at(slot));
      expect(list.flatMap((each) => ("row" in each ? [each.row] : []))).toEqual(numbersTo(rows.count));
      let row = -1;
      for (const [slot, each] of list.entries()) {
        if ("row" in each) {
          row = each.row;
          expect(layout.slotOf(row)).toBe(slot);
        } else expect(rowAt(rows, each.marker.offset)).toBe(row);
      }
      const end = loaded.start + loaded.bytes.length;
      const within = markers.filter(
        ({ offset }) => offset >= loaded.start && (offset < end || end === loaded.size),
      );
      expect(list.flatMap((each) => ("marker" in each ? [each.marker] : []))).toEqual(within);
    }),
  );
});

test("the next issue follows the selected one, or else the visible position", () => {
  const issue = (offset: number | null) => ({
    ...{ severity: "error" as const, code: "c", message: "m", pointer: "", operationIndex: null },
    ...{ line: 1, column: 1, offset },
  });
  const issues = inFileOrder([issue(50), issue(null), issue(10), issue(50)]);
  expect(issues.map(({ number }) => number)).toEqual([3, 1, 4, 2]);
  const from = (current: number | undefined, offset: number, step: 1 | -1) =>
    neighbour(issues, { current, offset }, step)?.number;
  expect([from(3, 0, 1), from(1, 0, 1), from(4, 0, 1)]).toEqual([1, 4, undefined]);
  expect([from(undefined, 11, 1), from(undefined, 11, -1), from(undefined, 10, 1)]).toEqual([1, 3, 3]);
  expect([from(undefined, 10, -1), from(undefined, 50, -1)]).toEqual([undefined, 3]);
});
