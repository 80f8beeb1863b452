import { describe, expect, test } from "vitest";
import { blockEntry as entry } from "../../../../test/support/logs/log-entries.ts";
import { compressBlock, cutIntoBlocks, entriesOfBlock } from "../../src/storage/task-details/log-blocks.ts";

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe("blocks of the operation log", () => {
  test("a block ends after 100 entries, and the ranges of blocks follow each other", () => {
    const blocks = cutIntoBlocks(
      { first: 10, end: 260 },
      numbers(10, 260).map((index) => entry(index)),
    );
    expect(blocks.map(({ first, end }) => [first, end])).toEqual([
      [10, 110],
      [110, 210],
      [210, 260],
    ]);
  });

  test("operations without an entry lie in the range of a block", () => {
    const indexes = [5, ...numbers(20, 125), 130];
    const blocks = cutIntoBlocks(
      { first: 3, end: 140 },
      indexes.map((index) => entry(index)),
    );
    expect(blocks.map(({ first, end }) => [first, end])).toEqual([
      [3, 119],
      [119, 140],
    ]);
  });

  test("a block ends with the entry that makes it larger than a MiB", () => {
    const input = JSON.stringify("x".repeat(400_000));
    const blocks = cutIntoBlocks(
      { first: 0, end: 7 },
      numbers(0, 7).map((index) => entry(index, { input })),
    );
    expect(blocks.map(({ first, end }) => [first, end])).toEqual([
      [0, 3],
      [3, 6],
      [6, 7],
    ]);
  });

  test("operations that all have no entry make a block without entries, and no operations make none", async () => {
    const [block, ...more] = cutIntoBlocks({ first: 7, end: 500 }, []);
    expect(block).toEqual({ first: 7, end: 500, counts: [], texts: [] });
    expect(more).toEqual([]);
    expect(await entriesOfBlock(await compressBlock([]))).toEqual([]);
    expect(cutIntoBlocks({ first: 0, end: 0 }, [])).toEqual([]);
  });

  test("entries are counted by intent, action and status", () => {
    const failed = { status: "failure", action: null } as const;
    const [block] = cutIntoBlocks({ first: 0, end: 4 }, [
      entry(0),
      entry(1, failed),
      entry(2),
      entry(3, { intent: "order/register" }),
    ]);
    expect(block?.counts).toEqual([
      { intent: "customer/upsert", action: "created", status: "success", count: 2 },
      { intent: "customer/upsert", action: null, status: "failure", count: 1 },
      { intent: "order/register", action: "created", status: "success", count: 1 },
    ]);
  });

  test.each([
    ["small", "y"],
    ["large", "y".repeat(600_000)],
  ])("entries are read from a %s block as written, their input byte for byte", async (_, text) => {
    const input = `{ "a" : 1.50e1,\n "e":"\\u001e","t":"${text}ü" }`;
    const written = [entry(0, { input }), entry(7, { action: null, status: "failure", message: "\u001e\0" })];
    const [block] = cutIntoBlocks({ first: 0, end: 8 }, written);
    const texts = await entriesOfBlock(await compressBlock(block!.texts));
    expect(block!.texts[0]!.endsWith(`"input":${input}}\n`)).toBe(true);
    expect(texts.map(({ index, intent, status, action }) => [index, intent, status, action])).toEqual([
      [0, "customer/upsert", "success", "created"],
      [7, "customer/upsert", "failure", null],
    ]);
    const [second, ...none] = await entriesOfBlock(await compressBlock(block!.texts), [3, 7, 70]);
    expect([second?.index, none]).toEqual([7, []]);
    expect(texts.map((each) => each.parse())).toEqual(
      written.map((each) => ({ ...each, input: JSON.parse(each.input) })),
    );
  });

  test.each([
    ["small", 1_000],
    ["large", 2_000_000],
  ])("a %s block that would be larger than it says is not decompressed", async (_, bytes) => {
    const { entries } = await compressBlock([" ".repeat(bytes + 1)]);
    await expect(entriesOfBlock({ rawBytes: bytes, entries })).rejects.toThrow("larger than");
  });
});
