import { expect, test } from "vitest";
import { entityIdOf, entityKindOf, intentNames, naturalKeysOf, pathLocationOf } from "../../src/internal.ts";

test("intents of parts of an entity, or of no entity, have no kind", () => {
  expect(intentNames.filter((intent) => entityKindOf(intent) === undefined)).toEqual([
    ...["piece/component/rename", "shape/component/rename"],
    ...[
      "product/variant/create",
      "product/variant/update",
      "product/variant/upsert",
      "product/variant/delete",
    ],
    ...["product/variant/stock/modify", "product/variant/price/modify"],
    ...["item/updateComponent/item", "item/updateComponent/sku"],
    ...["item/paths/addAliases", "item/paths/setAliases", "item/paths/removeAliases"],
    ...["item/paths/addHistory", "item/paths/setHistory", "item/paths/removeHistory"],
    ...["item/paths/addShortcuts", "item/paths/setShortcuts", "item/paths/removeShortcuts"],
    ...["item/flow/stage/addItems", "image/register"],
    ...["pricelist/selectedProductVariants/upsert", "pricelist/selectedProductVariants/remove"],
  ]);
  expect(naturalKeysOf("image/register", { resourceIdentifier: "a" })).toEqual([]);
});

test("an entity known only by its id has no natural key", () => {
  expect(naturalKeysOf("document/upsert", { itemId: "0".repeat(24), name: "Tea" })).toEqual([]);
  expect(naturalKeysOf("order/upsert", { id: "0".repeat(24), resourceIdentifier: "" })).toEqual([]);
});

test("a product's keys are its resource identifier, external reference and default SKU, in this order", () => {
  const variants = [{ sku: "a" }, { sku: "b", isDefault: true }];
  const product = { itemId: "1", externalReference: "e", resourceIdentifier: "r", variants };
  expect(naturalKeysOf("product/upsert", product)).toEqual([
    { by: "resourceIdentifier", value: "r" },
    { by: "externalReference", value: "e" },
    { by: "sku", value: "b" },
  ]);
  expect(naturalKeysOf("product/update", { variants: [{ sku: "a" }, { sku: "c" }] })).toEqual([
    { by: "sku", value: "a" },
  ]);
  expect(entityIdOf("item/publish", product)).toBe("1");
});

test("settings, customers and flows are known by their own identifiers", () => {
  expect(naturalKeysOf("language/upsert", { code: "en" })).toEqual([{ by: "code", value: "en" }]);
  expect(naturalKeysOf("vatType/upsert", { id: "1", name: "Low" })).toEqual([{ by: "name", value: "Low" }]);
  expect(entityIdOf("vatType/upsert", { id: "1", name: "Low" })).toBe("1");
  expect(naturalKeysOf("customer/group/upsert", { identifier: "g" })).toEqual([
    { by: "identifier", value: "g" },
  ]);
  expect(entityIdOf("customer/upsert", { identifier: "c", id: "1" })).toBeUndefined();
});

test("topics and items have a location in a tree", () => {
  expect(pathLocationOf("topic/upsert", { parentId: "1", name: "Tea", pathIdentifier: "tea" })).toEqual({
    ...{ parentId: "1", name: "Tea", segment: "tea" },
  });
  expect(pathLocationOf("folder/upsert", { tree: { parentId: "2" }, name: "Shelf" })).toEqual({
    ...{ parentId: "2", name: "Shelf", segment: undefined },
  });
  expect(pathLocationOf("order/upsert", { id: "1" })).toBeUndefined();
});
