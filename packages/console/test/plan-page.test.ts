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
    [1, "product/delete operation"],
    [1_200, "customer/group/delete operations"],
    [3, "stock entries"],
    [2, "somethingNew"],
    [7, "items lose content in shape tea: taste"],
    [undefined, "More items lose content"],
  ]);
  expect(losses[0]?.filter).toEqual({ action: "deleted", intent: "product/delete" });
});

test("a sum that is not one of counts is ignored", () => {
  const none = { deleted: null, removed: { variants: "2" }, orphaned: [], orphanedMore: false };
  expect(lossesOf(none)).toEqual([]);
});
