import { expect, test } from "vitest";
import { lossesOf } from "../src/pages/plan/losses.ts";

test("a plan lists what it deletes first, then what lists and shapes lose", () => {
  const losses = lossesOf({
    deleted: { "product/delete": 1, "customer/group/delete": 1_200 },
    removed: { stockLocations: 3, somethingNew: 2 },
    orphaned: { "shape tea: taste": 7 },
    orphanedMore: true,
  });
  expect(losses.map(({ count, words }) => [count, words])).toEqual([
    [1, "operation of product/delete"],
    [1_200, "operations of customer/group/delete"],
    [3, "stocks removed from lists"],
    [2, "somethingNew removed from lists"],
    [7, "items with content in shape tea: taste, which the shape loses"],
    [undefined, "Content of more items, in components that a shape loses"],
  ]);
  expect(losses[0]?.filter).toEqual({ action: "deleted", intent: "product/delete" });
});

test("a sum that is not one of counts is ignored", () => {
  const none = { deleted: null, removed: { variants: "2" }, orphaned: [], orphanedMore: false };
  expect(lossesOf(none)).toEqual([]);
});
