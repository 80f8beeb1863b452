import { same } from "@lading/schema/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { emptied, merge } from "../../src/domain/merge.ts";

describe("two values are not the same when", () => {
  test.each<[why: string, a: unknown, b: unknown]>([
    ["a list has another order", [1, 2], [2, 1]],
    ["a list is longer", [1], [1, 2]],
    ["a list is shorter", [1, 2], [1]],
    ["a member is missing", { a: 1, b: 2 }, { a: 1 }],
    ["a member is added", { a: 1 }, { a: 1, b: 2 }],
    ["a member is null instead of absent", { a: null }, {}],
    ["a list stands for an object", [], {}],
    ["an object stands for a list", {}, []],
    ["null stands for an object", null, {}],
    ["a text stands for a number", "1", 1],
    ["they differ ten levels deep", nested(10, 1), nested(10, 2)],
  ])("two values are not the same when %s", (_, a, b) => {
    expect(same(a, b)).toBe(false);
  });
});

test("two values are the same whatever the order of their keys, and with keys that have no value", () => {
  expect(same({ a: { x: 1, y: [2] }, b: null }, { b: null, c: undefined, a: { y: [2], x: 1 } })).toBe(true);
});

test("a value equals its JSON round trip", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => same(value, JSON.parse(JSON.stringify(value)))));
});

test("two values that JSON writes alike are the same, and two that it does not are not", () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(value, value, (a, b) => same(a, b) === (sortedText(a) === sortedText(b))),
    { numRuns: runs(1_000) },
  );
});

const row = { name: "Chair", tags: ["a"], updatedAt: "2026-01-01T00:00:00.000Z" };

test("merging equal values changes nothing", () => {
  expect(merge(row, { name: "Chair", tags: ["a"] }, "later")).toBeUndefined();
  expect(merge(row, { name: undefined }, "later")).toBeUndefined();
});

test("merging creates a new row with the time of the change", () => {
  expect(merge(row, { tags: [], name: undefined }, "later")).toEqual({
    name: "Chair",
    tags: [],
    updatedAt: "later",
  });
  expect(row.tags).toEqual(["a"]);
});

test("null empties a list, and an absent one stays absent", () => {
  expect([emptied(null), emptied(undefined), emptied([1])]).toEqual([[], undefined, [1]]);
});

function nested(depth: number, value: unknown): unknown {
  return depth === 0 ? value : { inside: [nested(depth - 1, value)] };
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
