import { beforeEach, describe, expect, test } from "vitest";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { items } from "../../src/storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../../src/storage/collections/product-variants.ts";
import { describeOnEngines, outcomesOf } from "../support/commands.ts";
import { addShape, components, create, draftOf, newItem, prepare, title } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";

describeOnEngines("publishing", (shop) => {
  beforeEach(() => prepare(shop()));

  const publish = (itemId: string, more: object = {}) =>
    ["item/publish", { itemId, language: "en", ...more }] as const;
  const unpublish = (itemId: string, more: object = {}) =>
    ["item/unpublish", { itemId, language: "en", ...more }] as const;
  const publishedOf = (id: string, language = "en") => shop().get(itemContents, id, language, "published");
  const all = { includeDescendants: true };

  describe.each(["item/publish", "item/unpublish"] as const)("%s", (intent) => {
    test(`${intent} fails for an unknown item, an unknown language, and two items together`, async () => {
      const itemId = await create(shop(), "document", { resourceIdentifier: "one" });
      await create(shop(), "document", { resourceIdentifier: "two" });
      expect(await shop().refused(intent, { itemId: unknownId, language: "en" })).toMatchObject({
        name: "ItemNotFoundError",
      });
      expect(await shop().refused(intent, { itemId, language: "de" })).toMatchObject({
        name: "SettingNotFoundError",
      });
      const both = { itemId, resourceIdentifier: "two", language: "en" };
      expect(await shop().refused(intent, both)).toMatchObject({ name: "ConflictError" });
    });
  });

  test("an item is not published in a language that it does not have", async () => {
    const itemId = await create(shop(), "document");
    const refusal = await shop().refused(...publish(itemId, { language: "no" }));
    expect(refusal).toMatchObject({ name: "ItemNotFoundError", errors: [{ path: ["language"] }] });
  });

  test("an item is not published while a required component has no content", async () => {
    const itemId = await create(shop(), "document");
    await shop().done("document/update", { itemId, language: "en", components: null });
    const refusal = await shop().refused(...publish(itemId));
    expect(refusal.name).toBe("ComponentContentValidationFailedError");
    expect(refusal.message).toContain('"title" (singleLine) is required');
  });

  test("a product is not published while a required component of a variant has no content", async () => {
    await addShape(shop(), "product", "strict", { components: [], variantComponents: components });
    const variants = [{ sku: "a", name: "A", components: [title("A")] }];
    const itemId = await create(shop(), "product", { shapeIdentifier: "strict", components: [], variants });
    await shop().done("product/variant/update", { sku: "a", language: "en", components: null });
    const refusal = await shop().refused(...publish(itemId));
    expect(refusal).toMatchObject({
      name: "ComponentContentValidationFailedError",
      errors: [{ path: ["variants", "a", "components"] }],
    });
  });

  test("publishing publishes the draft of that moment, with the variants of a product", async () => {
    const itemId = await create(shop(), "product", { variants: [{ sku: "a", name: "A" }] });
    expect(await shop().done(...publish(itemId))).toEqual({
      action: "published",
      output: { id: itemId, language: "en" },
    });
    await shop().done("product/update", { itemId, language: "en", name: "Renamed" });
    const [variant] = await shop().all(productVariants);
    const { priceVariants: _, stockLocations: __, ...copy } = variant ?? ({} as ProductVariantRow);
    const published = await publishedOf(itemId);
    expect(published).toMatchObject({ name: "A product", components: [title("Oak")], variants: [copy] });
    expect(await draftOf(shop(), itemId)).toMatchObject({ name: "Renamed", segment: "renamed" });
    await shop().done(...publish(itemId));
    expect(await publishedOf(itemId)).toMatchObject({ name: "Renamed" });
  });

  test("a draft that was changed and changed back is a newer version, which is published", async () => {
    const itemId = await create(shop(), "document");
    await shop().done(...publish(itemId));
    for (const name of ["Other", "A document"])
      await shop().done("document/update", { itemId, language: "en", name });
    expect(await shop().done(...publish(itemId))).toMatchObject({ action: "published" });
    const { versionId } = (await draftOf(shop(), itemId)) ?? {};
    expect(await publishedOf(itemId)).toMatchObject({ name: "A document", versionId });
  });

  test("a published item is not published again unless its draft or a variant has changed", async () => {
    const itemId = await create(shop(), "product", { variants: [{ sku: "a", name: "A" }] });
    await shop().done(...publish(itemId));
    const before = await publishedOf(itemId);
    expect(await shop().done(...publish(itemId))).toMatchObject({ action: "unchanged" });
    expect(await publishedOf(itemId)).toEqual(before);
    await shop().done("product/variant/update", { sku: "a", language: "en", name: "B" });
    expect(await shop().done(...publish(itemId))).toMatchObject({ action: "published" });
  });

  test("unpublishing removes one language, and does nothing if nothing is published", async () => {
    const itemId = await create(shop(), "document");
    await shop().done("document/update", {
      itemId,
      language: "no",
      name: "Artikkel",
      components: [title("Eik")],
    });
    await shop().done(...publish(itemId));
    await shop().done(...publish(itemId, { language: "no" }));
    expect(await shop().done(...unpublish(itemId))).toEqual({
      action: "unpublished",
      output: { id: itemId, language: "en" },
    });
    expect(await shop().done(...unpublish(itemId))).toMatchObject({ action: "unchanged" });
    expect([await publishedOf(itemId), (await publishedOf(itemId, "no"))?.name]).toEqual([
      undefined,
      "Artikkel",
    ]);
    expect(await draftOf(shop(), itemId)).toBeDefined();
  });

  test("an item created, published and unpublished in one batch meets its own state", async () => {
    const itemId = unknownId;
    const outcomes = await shop().batch([
      ["document/upsert", newItem(shop(), "document", { itemId })],
      [...unpublish(itemId)],
      [...publish(itemId)],
      [...publish(itemId)],
      [...unpublish(itemId)],
    ]);
    expect(outcomesOf(outcomes)).toBe("created unchanged published unchanged unpublished");
    expect(shop().statements.execute).toBe(0);
  });

  describe("with all descendants", () => {
    let root: string;
    let [good, bad, foreign, deep]: string[] = [];
    beforeEach(async () => {
      root = await create(shop(), "folder", { name: "root" });
      const tree = { parentId: root };
      good = await create(shop(), "document", { tree });
      bad = await create(shop(), "document", { tree });
      await shop().done("document/update", { itemId: bad, language: "en", components: null });
      foreign = await create(shop(), "folder", { tree, language: "no" });
      deep = await create(shop(), "product", { tree: { parentId: foreign as string } });
      await create(shop(), "document", { name: "outside" });
    });

    test("publishing a subtree succeeds in part when some items fail, and names them with the reason", async () => {
      const { action, output, partial } = await shop().done(...publish(root, all));
      expect([action, output]).toEqual(["published", { id: root, language: "en" }]);
      expect(["ComponentContentValidationFailedError", "ItemNotFoundError"]).toContain(partial?.name);
      expect(partial?.errors.map(({ code }) => code).sort()).toEqual(["InvalidContent", "ItemNotFound"]);
      const messages = partial?.errors.map(({ message }) => message).join("\n");
      expect(messages).toContain(`The document "A document" (${bad}): components: The component "title"`);
      expect(messages).toContain(`The folder ${foreign} has nothing in the language "en"`);
      const published = (await shop().all(itemContents)).filter(({ version }) => version === "published");
      expect(published.map(({ itemId }) => itemId).sort()).toEqual([root, good, deep].sort());
      expect((await publishedOf(deep as string))?.variants).toHaveLength(1);
    });

    test("publishing a subtree succeeds when all items do, and never counts the root of the tenant", async () => {
      await shop().done("item/delete", { itemId: bad });
      await shop().done("folder/update", {
        itemId: foreign,
        language: "en",
        name: "now in English",
        components: [title("x")],
      });
      const result = await shop().done(...publish(shop().tenant.rootItemId, all));
      expect(result).toEqual({
        action: "published",
        output: { id: shop().tenant.rootItemId, language: "en" },
      });
      const published = (await shop().all(itemContents)).filter(({ version }) => version === "published");
      expect(published).toHaveLength(5);
      expect(await shop().done(...publish(root, all))).toMatchObject({ action: "unchanged" });
    });

    test("publishing a subtree fails when nothing could be published", async () => {
      await addShape(shop(), "folder", "strict");
      const folder = await create(shop(), "folder", { shapeIdentifier: "strict" });
      await shop().done("folder/update", { itemId: folder, language: "en", components: null });
      const refusal = await shop().refused(...publish(folder, all));
      expect(refusal).toMatchObject({ name: "ComponentContentValidationFailedError" });
    });

    test("publishing a subtree includes writes of the same batch", async () => {
      const outcomes = await shop().batch([
        ["item/delete", { itemId: bad }],
        ["folder/update", { itemId: foreign, language: "en", name: "English", components: [title("x")] }],
        ["document/create", newItem(shop(), "document", { name: "new", tree: { parentId: root } })],
        [...publish(root, all)],
      ]);
      expect(outcomes[3]).toEqual({ action: "published", output: { id: root, language: "en" } });
      const published = (await shop().all(itemContents)).filter(({ version }) => version === "published");
      expect(published).toHaveLength(5);
    });

    test("publishing a subtree needs as many statements for many items as for few", async () => {
      const statements = async (children: number) => {
        const parentId = await create(shop(), "folder");
        const tree = { parentId };
        await shop().batch(
          Array.from({ length: children }, () => ["document/create", newItem(shop(), "document", { tree })]),
        );
        await shop().done(...publish(parentId, all));
        return { ...shop().statements };
      };
      expect(await statements(60)).toEqual(await statements(2));
    });

    test.each(["item/publish", "item/unpublish"] as const)(
      "%s refuses more than 10,000 items",
      async (intent) => {
        await shop().database.execute(
          `INSERT INTO items (tenant_id, id, type, shape_identifier, parent_id, sort_key, created_at, updated_at)
         SELECT $1, lpad(to_hex(n), 24, '0'), 'document', 'document', $2, 'a0', now(), now()
         FROM generate_series(1, 10000) n`,
          [shop().tenant.id, root],
        );
        // As autovacuum does in time: the planner would expect the few items there were.
        await shop().database.execute("ANALYZE items");
        const refusal = await shop().refused(intent, { itemId: root, language: "en", ...all });
        expect(refusal).toMatchObject({
          name: "ValidationError",
          errors: [{ path: ["includeDescendants"] }],
        });
        expect(refusal.message).toContain("10000 items");
      },
    );

    test("publishing a subtree names a hundred items that fail, and counts the others", async () => {
      const tree = { parentId: foreign as string };
      const norwegian = newItem(shop(), "document", { tree, language: "no" });
      await shop().batch(Array.from({ length: 100 }, () => ["document/create", norwegian]));
      const { partial } = await shop().done(...publish(root, all));
      expect(partial?.errors).toHaveLength(101);
      expect(partial?.errors.at(-1)?.message).toBe("2 more items were not published");
    });

    test("unpublishing a subtree removes all of it", async () => {
      await shop().done(...publish(root, all));
      expect(await shop().done(...unpublish(root, all))).toMatchObject({ action: "unpublished" });
      const published = (await shop().all(itemContents)).filter(({ version }) => version === "published");
      expect(published).toEqual([]);
      expect(await shop().done(...unpublish(root, all))).toMatchObject({ action: "unchanged" });
    });
  });

  describe("deleting", () => {
    test("deleting is refused for the tenant's root, an unknown item and two items together", async () => {
      const itemId = await create(shop(), "document", { resourceIdentifier: "one" });
      expect(await shop().refused("item/delete", { itemId: shop().tenant.rootItemId })).toMatchObject({
        name: "ConflictError",
      });
      expect(await shop().refused("item/delete", { resourceIdentifier: "nix" })).toMatchObject({
        name: "ItemNotFoundError",
      });
      expect(await shop().refused("item/delete", { itemId, resourceIdentifier: "two" })).toMatchObject({
        name: "ConflictError",
      });
    });

    test("deleting a folder with children is refused, even when a child was created in the same batch", async () => {
      const folder = await create(shop(), "folder");
      const [, refusal] = await shop().batch([
        ["document/create", newItem(shop(), "document", { tree: { parentId: folder } })],
        ["item/delete", { itemId: folder }],
      ]);
      expect(refusal).toMatchObject({ name: "ItemHasChildrenError", statusCode: 409 });
      expect((refusal as Error).message).toContain("has 1 child;");
      expect(await shop().get(items, folder)).toBeDefined();
    });

    test("deleting takes all versions, languages and variants along, once the children are gone", async () => {
      const folder = await create(shop(), "folder");
      const itemId = await create(shop(), "product", {
        tree: { parentId: folder },
        resourceIdentifier: "mine",
      });
      await shop().done("product/update", { itemId, language: "no", name: "Stol" });
      await shop().done(...publish(itemId));
      const [product, parent] = await shop().batch([
        ["item/delete", { resourceIdentifier: "mine" }],
        ["item/delete", { itemId: folder }],
      ]);
      expect([product, parent]).toEqual([
        { action: "deleted", output: { id: itemId } },
        { action: "deleted", output: { id: folder } },
      ]);
      expect([await shop().all(itemContents), await shop().all(productVariants)]).toEqual([[], []]);
      expect((await shop().all(items)).map(({ id }) => id)).toEqual([shop().tenant.rootItemId]);
    });
  });
});
