import { describe, expect, it } from "vitest";
import { intentNames, nearest } from "../../src/internal.ts";

describe("the nearest names", () => {
  it("no names are suggested when nothing is near", () => {
    expect(nearest("warehouse", intentNames)).toEqual([]);
    expect(nearest("", ["name"])).toEqual([]);
    expect(nearest("name", [])).toEqual([]);
    expect(nearest("fr", ["en"])).toEqual([]);
    expect(nearest("nn", ["en", "nb"])).toEqual(["en", "nb"]);
  });

  it.each([
    ["a letter too many", "componentss", "components"],
    ["a letter too few", "componets", "components"],
    ["a wrong letter", "componentz", "components"],
    ["two letters swapped", "copmonents", "components"],
    ["the wrong case", "ITEMID", "itemId"],
  ])("the nearest name is found despite %s", (_, name, meant) => {
    expect(nearest(name, ["name", "components", "itemId", "language"])).toEqual([meant]);
  });

  it("the best suggestions come first, and no more than requested", () => {
    expect(nearest("topic/creat", intentNames, 1)).toEqual(["topic/create"]);
    expect(nearest("aab", ["xab", "aab", "aax", "aac"])).toEqual(["aab", "xab", "aax"]);
  });

  it("if none is near, names that begin with it are suggested", () => {
    expect(nearest("fetchItem", ["fetchOrderById", "fetchItemByIdentifier", "fetchItemByPath"])).toEqual([
      "fetchItemByIdentifier",
      "fetchItemByPath",
    ]);
    expect(nearest("top", intentNames)).toEqual([]);
  });

  it("an endless name gets no suggestions", () => {
    expect(nearest("x".repeat(5_000_000), intentNames)).toEqual([]);
  });
});
