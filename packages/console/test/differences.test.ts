import { expect, test } from "vitest";
import { leavesOf } from "../src/pages/item/differences.ts";

test("a leaf is named by the keys of the entries around it, so that one more entry renames none", () => {
  const glaze = { componentId: "glaze", content: { text: "Cobalt" } };
  const variants = (skus: string[]) =>
    skus.map((sku) => ({ sku, name: "Mug", images: [{ key: "a" }, { key: "a" }] }));
  const leaves = [...leavesOf({ components: [glaze], variants: variants(["mug"]) })];
  expect(leaves).toContainEqual(["components/glaze/content/text", "Cobalt"]);
  expect(leaves).toContainEqual(["variants/mug/name", "Mug"]);
  // Two have the same key.
  expect(leaves).toContainEqual(["variants/mug/images/1/key", "a"]);
  const more = leavesOf({ components: [glaze], variants: variants(["cup", "mug"]) });
  for (const [pointer, value] of leaves) expect(more.get(pointer)).toBe(value);
});

test("derived and missing values are not listed", () => {
  expect([...leavesOf({ __typename: "Item", name: null, displayName: { name: "x" }, url: "/x" })]).toEqual(
    [],
  );
});
