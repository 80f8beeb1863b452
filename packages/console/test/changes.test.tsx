import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Changes } from "../src/pages/operation/changes.tsx";

const value = (pointer: string, before: unknown, after: unknown = null) => ({ pointer, before, after });
const entity = (entity: string, key: object, action: string, ...values: ReturnType<typeof value>[]) => ({
  ...{ entity, key, action, values, changedSince: false },
});

function captions(entities: ReturnType<typeof entity>[], output: unknown = null, isPlan = false) {
  const changes = { entities, more: 0, isComplete: true };
  const { container } = render(<Changes {...{ changes, isPlan, output }} unknown={[]} />);
  return Array.from(container.querySelectorAll("caption"), ({ textContent }) => textContent);
}

test("rows of a deleted item have its name, and its variants' rows their SKU", () => {
  const rows = [
    entity("item", { id: "i1" }, "deleted", value("/type", "product")),
    entity("itemContent", { itemId: "i1", language: "en" }, "deleted", value("/name", "Oak chair")),
    entity("productVariant", { id: "v1" }, "deleted", value("/sku", "oak-1")),
    entity("publishedVariant", { variantId: "v1" }, "deleted", value("/priceVariants", [])),
  ];
  expect(captions(rows)).toEqual([
    expect.stringContaining('Oak chair item id "i1"'),
    expect.stringContaining("Oak chair itemContent"),
    expect.stringContaining("oak-1 productVariant"),
    expect.stringContaining("oak-1 publishedVariant"),
  ]);
});

test("rows of one variant have the SKU that the operation names; those of several, and new ones, no other's name", () => {
  const price = value("/priceVariants/0/price", 1, 2);
  const one = [
    entity("productVariant", { id: "v1" }, "updated", price),
    entity("publishedVariant", { variantId: "v1" }, "updated", price),
  ];
  expect(captions(one, { sku: "oak-1" })).toEqual([
    expect.stringContaining("oak-1 productVariant"),
    expect.stringContaining("oak-1 publishedVariant"),
  ]);
  const two = [...one, entity("productVariant", { id: "v2" }, "updated", value("/isDefault", true, false))];
  expect(captions(two, { sku: "oak-1" }).join()).not.toContain("oak-1");
  const planned = [
    entity("topic", { id: "new" }, "created", value("/meta", null, [])),
    entity("topicContent", { topicId: "new", language: "en" }, "created", value("/name", null, "Oak")),
  ];
  expect(captions(planned, null, true)).toEqual([
    expect.not.stringContaining("Oak"),
    expect.stringContaining("Oak topicContent"),
  ]);
});
