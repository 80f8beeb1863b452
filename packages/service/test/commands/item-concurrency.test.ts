import type { ComponentDefinition, Intent } from "@lading/schema";
import { describe, expect, test } from "vitest";
import { inRelease } from "../../../../test/support/extent.ts";
import { items } from "../../src/storage/collections/items.ts";
import { sqlStateOf, sqlStates } from "../../src/storage/sql-states.ts";
import type { Shop, WrittenPayload } from "../support/commands.ts";
import { executeAlone, onPostgres, race } from "../support/concurrent-writers.ts";
import { holdWriter } from "../support/held-writer.ts";
import { addShape, create, draftOf, newItem, variantBySku, variantsOf } from "./item/support.ts";

/** The number of races between two writers in a test. */
const rounds = inRelease ? 10 : 3;

describe("two writers on PostgreSQL", () => {
  let shop: Shop;
  onPostgres((opened) => {
    shop = opened;
  });

  const execute = (intent: Intent, payload: WrittenPayload) => executeAlone(shop, intent, payload);

  const open = (intent: Intent, payload: WrittenPayload) => holdWriter(shop, intent, payload);

  const orphans = () =>
    shop.database.query(
      `SELECT c.id FROM items c LEFT JOIN items p ON p.tenant_id = c.tenant_id AND p.id = c.parent_id
       WHERE c.parent_id IS NOT NULL AND p.id IS NULL`,
    );

  const raceBetween = (...operations: [Intent, WrittenPayload][]) => race(shop, operations);

  test.each([0, 1])(
    "two writers share content of a language being added, whichever commits first (%i)",
    async (first) => {
      const config = { singleLine: { multilingual: false } };
      const shared: ComponentDefinition[] = [{ id: "code", name: "Code", type: "singleLine", config }];
      await addShape(shop, "product", "shared", { components: shared, variantComponents: shared });
      const code = (text: string) => [{ componentId: "code", singleLine: { text } }];
      const variants = [{ sku: "a", name: "A" }];
      const made = { shapeIdentifier: "shared", components: code("1"), variants };
      const itemId = await create(shop, "product", made);
      const adding = { itemId, language: "no", name: "Stol" };
      for (const change of [
        { itemId, components: code("2") },
        { itemId, variants: [{ sku: "a", name: "A", components: code("v") }] },
      ]) {
        const writers = [
          open("product/update", adding),
          open("product/update", { ...change, language: "en" }),
        ];
        await Promise.all(writers.map(({ executed }) => executed));
        await writers[first]?.commit();
        const error = await writers[1 - first]?.commit().catch((reason) => reason);
        expect(sqlStateOf(error)).toBe(sqlStates.serializationFailure);
        await shop.database.execute("DELETE FROM item_contents WHERE tenant_id = $1 AND language = 'no'", [
          shop.tenant.id,
        ]);
      }
    },
  );

  test.each(["the parent's deletion", "the child's creation"])(
    "a folder deleted while a child is being created leaves no orphan, and %s commits first",
    async (first) => {
      const parentId = await create(shop, "folder");
      const deletion = open("item/delete", { itemId: parentId });
      const creation = open("document/create", newItem(shop, "document", { tree: { parentId } }));
      await Promise.all([deletion.executed, creation.executed]);
      const [faster, slower] = first.startsWith("the parent") ? [deletion, creation] : [creation, deletion];
      await faster.commit();
      const error = await slower.commit().catch((reason) => reason);
      expect([sqlStates.foreignKeyViolation, sqlStates.serializationFailure]).toContain(sqlStateOf(error));
      expect(await orphans()).toEqual([]);
    },
  );

  test("a folder deleted while a child is being created ends with both or neither, whichever is faster", async () => {
    for (let round = 0; round < rounds; round++) {
      const parentId = await create(shop, "folder");
      const child = newItem(shop, "document", { tree: { parentId } });
      const outcome = await raceBetween(["item/delete", { itemId: parentId }], ["document/create", child]);
      expect([
        ["deleted", "ItemNotFoundError"],
        ["ItemHasChildrenError", "created"],
      ]).toContainEqual(outcome);
      expect((await shop.get(items, parentId)) !== undefined).toBe(outcome[1] === "created");
    }
    expect(await orphans()).toEqual([]);
  });

  test("two writers who create items of one name get a path each", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = newItem(shop, "folder", { name: `Chairs ${round}` });
      expect(await raceBetween(["folder/create", payload], ["folder/create", payload])).toEqual([
        "created",
        "created",
      ]);
    }
    const rows = await shop.database.query<{ segment: string }>(
      "SELECT segment FROM item_contents WHERE tenant_id = $1 AND segment IS NOT NULL",
      [shop.tenant.id],
    );
    const expected = Array.from({ length: rounds }, (_, i) => [`chairs-${i}`, `chairs-${i}-2`]).flat();
    expect(rows.map(({ segment }) => segment).sort()).toEqual(expected.sort());
  });

  test("two writers cannot take the same SKU: the slower one's error names its owner", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = () => newItem(shop, "product", { variants: [{ sku: `sku-of-${round}`, name: "A" }] });
      const outcome = await raceBetween(["product/create", payload()], ["product/create", payload()]);
      expect(outcome.sort()).toEqual(["SkuTakenError", "created"]);
    }
  });

  test("two writers of one resource identifier make one item", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = newItem(shop, "document", { resourceIdentifier: `mine-${round}` });
      const outcome = await raceBetween(["document/upsert", payload], ["document/upsert", payload]);
      expect(outcome.sort()).toEqual(["created", "unchanged"]);
    }
  });

  test("two writers of one variant's stock lose no change", async () => {
    await create(shop, "product", { variants: [{ sku: "a", name: "A" }] });
    const payload = { sku: "a", stockLocationIdentifier: "default", operation: "increase", quantity: 1 };
    await Promise.all(Array.from({ length: 12 }, () => execute("product/variant/stock/modify", payload)));
    expect((await variantBySku(shop, "a"))?.stockLocations).toEqual([{ identifier: "default", stock: 12 }]);
  });

  test.each(["the publishing", "the change"])(
    "the first publishing of a changing product publishes no outdated stock, and %s commits first",
    async (first) => {
      const itemId = await create(shop, "product", { variants: [{ sku: "a", name: "A" }] });
      const stock = { sku: "a", stockLocationIdentifier: "default", operation: "increase", quantity: 5 };
      const publishing = open("item/publish", { itemId, language: "en" });
      const change = open("product/variant/stock/modify", stock);
      await Promise.all([publishing.executed, change.executed]);
      const [faster, slower] = first === "the change" ? [change, publishing] : [publishing, change];
      await faster.commit();
      const error = await slower.commit().catch((reason) => reason);
      expect(sqlStateOf(error)).toBe(sqlStates.serializationFailure);
    },
  );

  test.each(["the publishing", "the rename"])(
    "a rename does not change the path that is being published for the first time, and %s commits first",
    async (first) => {
      const itemId = await create(shop, "document", { name: "Chair" });
      const publishing = open("item/publish", { itemId, language: "en" });
      const renaming = open("document/update", { itemId, language: "en", name: "Seat" });
      await Promise.all([publishing.executed, renaming.executed]);
      const [faster, slower] = first === "the rename" ? [renaming, publishing] : [publishing, renaming];
      await faster.commit();
      await expect(slower.commit()).rejects.toSatisfy(
        (error) => sqlStateOf(error) === sqlStates.serializationFailure,
      );
    },
  );

  test.each(["the publishing", "the change"])(
    "publishing again publishes no outdated stock when it is changed too, and %s commits first",
    async (first) => {
      const stockLocations = [{ identifier: "default", stock: 7 }];
      const itemId = await create(shop, "product", { variants: [{ sku: "a", name: "A", stockLocations }] });
      const stock = { sku: "a", stockLocationIdentifier: "default", operation: "increase", quantity: 2 };
      await execute("item/publish", { itemId, language: "en" });
      await execute("product/variant/update", {
        ...{ sku: "a", language: "en", name: "Changed" },
        stockLocations: [{ identifier: "default", stock: 5 }],
      });
      const publishing = open("item/publish", { itemId, language: "en" });
      const change = open("product/variant/stock/modify", stock);
      await Promise.all([publishing.executed, change.executed]);
      const [faster, slower] = first === "the change" ? [change, publishing] : [publishing, change];
      await faster.commit();
      const error = await slower.commit().catch((reason) => reason);
      expect(sqlStateOf(error)).toBe(sqlStates.serializationFailure);
    },
  );

  test("two writers cannot move two folders under each other", async () => {
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [await create(shop, "folder"), await create(shop, "folder")];
      const move = (itemId: string, parentId: string): [Intent, WrittenPayload] => [
        "folder/update",
        { itemId, language: "en", tree: { parentId } },
      ];
      expect((await raceBetween(move(a, b), move(b, a))).sort()).toEqual(["ConflictError", "updated"]);
      const parents = [(await shop.get(items, a))?.parentId, (await shop.get(items, b))?.parentId];
      expect(parents).toContain(shop.tenant.rootItemId);
    }
  });

  test("one default variant is left when two writers each mark another", async () => {
    const variants = ["a", "b", "c"].map((sku) => ({ sku, name: sku }));
    const productId = await create(shop, "product", { variants });
    for (let round = 0; round < rounds; round++) {
      const mark = (sku: string): [Intent, WrittenPayload] => [
        "product/variant/upsert",
        { productId, sku, name: sku, language: "en", isDefault: true },
      ];
      await raceBetween(mark(round % 2 ? "a" : "b"), mark("c"));
      expect((await variantsOf(shop, productId)).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    }
  });

  test("an item that is being deleted gets no new language", async () => {
    for (let round = 0; round < rounds; round++) {
      const itemId = await create(shop, "document");
      const outcome = await raceBetween(
        ["item/delete", { itemId }],
        ["document/update", { itemId, language: "no", name: "Artikkel" }],
      );
      expect([
        ["deleted", "ItemNotFoundError"],
        ["deleted", "updated"],
      ]).toContainEqual(outcome);
      expect([await shop.get(items, itemId), await draftOf(shop, itemId, "no")]).toEqual([
        undefined,
        undefined,
      ]);
    }
  });
});
