import { describe, expect, it } from "vitest";
import { intentNames, nearest } from "../../src/index.ts";

describe("The nearest names", () => {
  it("are none when nothing is near", () => {
    expect(nearest("warehouse", intentNames)).toEqual([]);
    expect(nearest("", ["name"])).toEqual([]);
    expect(nearest("name", [])).toEqual([]);
  });

  it.each([
    ["a letter too many", "componentss", "components"],
    ["a letter too few", "componets", "components"],
    ["a wrong letter", "componentz", "components"],
    ["two letters swapped", "copmonents", "components"],
    ["the wrong case", "ITEMID", "itemId"],
  ])("forgive %s", (_, name, meant) => {
    expect(nearest(name, ["name", "components", "itemId", "language"])).toEqual([meant]);
  });

  it("come best first, and no more than asked for", () => {
    expect(nearest("topic/creat", intentNames, 1)).toEqual(["topic/create"]);
    expect(nearest("aab", ["xab", "aab", "aax", "aac"])).toEqual(["aab", "xab", "aax"]);
  });

  it("of an endless name are not looked for", () => {
    expect(nearest("x".repeat(5_000_000), intentNames)).toEqual([]);
  });
});
