import type { Intent } from "@lading/schema";
import { beforeEach, describe, expect, test } from "vitest";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { items } from "../../src/storage/collections/items.ts";
import { describeOnEngines } from "../support/commands.ts";
import {
  addShape,
  create,
  draftOf,
  intro,
  kinds,
  newItem,
  newTopic,
  prepare,
  title,
  topicsOf,
  variantsOf,
} from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";
describeOnEngines("writing items", (shop) => {
  beforeEach(() => prepare(shop()));

  describe.each(kinds)("%s", (kind) => {
    const intent = (verb: string) => `${kind}/${verb}` as Intent;

    test("an item is unchanged when an update fails halfway", async () => {
      const itemId = await create(shop(), kind);
      const before = [await shop().get(items, itemId), await draftOf(shop(), itemId)];
      await shop().refused(intent("update"), {
        itemId,
        language: "en",
        externalReference: "written before the failure",
        components: [{ componentId: "nix", singleLine: { text: "a" } }],
      });
      expect([await shop().get(items, itemId), await draftOf(shop(), itemId)]).toEqual(before);
    });

    test("an item is created as a draft with all the fields that were sent", async () => {
      const [oak, wood] = [await newTopic(shop()), await newTopic(shop())];
      const id = await create(shop(), kind, {
        externalReference: "erp-1",
        resourceIdentifier: "mine",
        topicIds: [wood, oak, wood],
        createdAt: "2020-02-03T04:05:06+01:00",
        components: [title("Oak"), intro("<p>Old</p>")],
      });
      expect(await shop().get(items, id)).toMatchObject({
        type: kind,
        shapeIdentifier: kind,
        parentId: shop().tenant.rootItemId,
        externalReference: "erp-1",
        resourceIdentifier: "mine",
        createdAt: "2020-02-03T03:05:06.000Z",
        vatTypeId: kind === "product" ? shop().tenant.settings.vatTypes[0]?.id : null,
      });
      expect(await draftOf(shop(), id)).toMatchObject({
        name: `A ${kind}`,
        segment: `a-${kind}`,
        components: [title("Oak"), intro("<p>Old</p>")],
      });
      expect(await topicsOf(shop(), id)).toEqual([wood, oak]);
      expect(await shop().get(itemContents, id, "en", "published")).toBeUndefined();
    });

    test("an update keeps absent fields of an item, clears those that are null, and replaces lists", async () => {
      const topicId = await newTopic(shop());
      const itemId = await create(shop(), kind, {
        externalReference: "erp-1",
        topicIds: [topicId],
        components: [title("Oak"), intro("<p>Old</p>")],
      });
      await shop().done(intent("update"), { itemId, language: "en", name: "Renamed" });
      expect(await draftOf(shop(), itemId)).toMatchObject({
        name: "Renamed",
        components: [title("Oak"), intro("<p>Old</p>")],
      });
      expect(await topicsOf(shop(), itemId)).toEqual([topicId]);
      await shop().done(intent("update"), { itemId, language: "en", components: [title("Ash")] });
      expect(await draftOf(shop(), itemId)).toMatchObject({ name: "Renamed", components: [title("Ash")] });
      await shop().done(intent("update"), {
        itemId,
        language: "en",
        components: null,
        externalReference: null,
        topicIds: null,
      });
      expect(await draftOf(shop(), itemId)).toMatchObject({ components: [] });
      expect(await shop().get(items, itemId)).toMatchObject({ externalReference: null });
      expect(await topicsOf(shop(), itemId)).toEqual([]);
    });

    test("an update gives an item a second language and keeps the first", async () => {
      const itemId = await create(shop(), kind, { name: "Chair" });
      const english = await draftOf(shop(), itemId);
      await shop().done(intent("update"), {
        itemId,
        language: "no",
        name: "Stol på hjørnet",
        components: [title("Eik")],
      });
      expect(await draftOf(shop(), itemId)).toEqual(english);
      expect(await draftOf(shop(), itemId, "no")).toMatchObject({
        segment: "stol-pa-hjornet",
        components: [title("Eik")],
      });
    });

    test("an update that changes nothing does not write the item", async () => {
      const payload = newItem(shop(), kind, { resourceIdentifier: "mine", externalReference: "erp-1" });
      await shop().done(intent("upsert"), payload);
      const before = [await shop().all(items), await shop().all(itemContents)];
      const { action, output } = await shop().done(intent("upsert"), payload);
      expect(action).toBe("unchanged");
      expect(output.id).toMatchObject({ language: "en", versionLabel: "draft" });
      expect(shop().statements.flush).toBe(0);
      expect([await shop().all(items), await shop().all(itemContents)]).toEqual(before);
    });

    test("each change of an item makes a new version of its draft", async () => {
      const itemId = await create(shop(), kind);
      const before = await draftOf(shop(), itemId);
      await shop().done(intent("update"), { itemId, language: "en", components: [title("Ash")] });
      expect((await draftOf(shop(), itemId))?.versionId).not.toBe(before?.versionId);
    });

    test("an upsert finds an item by id, by resource identifier and by external reference", async () => {
      const itemId = await create(shop(), kind, { resourceIdentifier: "mine", externalReference: "erp-1" });
      const names = [{ itemId }, { resourceIdentifier: "mine" }, { externalReference: "erp-1" }];
      for (const [i, name] of names.entries()) {
        const payload = newItem(shop(), kind, { ...name, name: `Name ${i}` });
        const { action, output } = await shop().done(intent("upsert"), payload);
        expect([action, output.id]).toEqual([
          "updated",
          { id: itemId, language: "en", versionLabel: "draft" },
        ]);
      }
      expect((await draftOf(shop(), itemId))?.name).toBe("Name 2");
    });

    test("an external reference does not find an item of another kind", async () => {
      const other = kind === "folder" ? "document" : "folder";
      await create(shop(), other, { externalReference: "100" });
      const { action } = await shop().done(
        intent("upsert"),
        newItem(shop(), kind, { externalReference: "100" }),
      );
      expect(action).toBe("created");
    });

    test("an upsert creates an item with the id that it names", async () => {
      const { action } = await shop().done(intent("upsert"), newItem(shop(), kind, { itemId: unknownId }));
      expect(action).toBe("created");
      expect(await shop().get(items, unknownId)).toMatchObject({ type: kind });
    });

    test("an item gets the resource identifier sent with its id, and is found by it afterwards", async () => {
      const itemId = await create(shop(), kind);
      await shop().done(intent("update"), { itemId, resourceIdentifier: "mine", language: "en" });
      const { output } = await shop().done(intent("update"), {
        resourceIdentifier: "mine",
        language: "en",
        name: "X",
      });
      expect(output.id).toMatchObject({ id: itemId });
    });

    test("an operation sees what its batch has written to the item", async () => {
      const payload = newItem(shop(), kind, { externalReference: "erp-1" });
      const [first, second, third] = await shop().batch([
        [intent("upsert"), payload],
        [intent("upsert"), payload],
        [intent("upsert"), { ...payload, name: "Renamed" }],
      ]);
      expect([first, second, third]).toMatchObject([
        { action: "created" },
        { action: "unchanged" },
        { action: "updated" },
      ]);
      expect((await shop().all(itemContents)).map(({ name }) => name)).toEqual(["Renamed"]);
    });

    test("an item whose creation fails in a batch leaves nothing behind", async () => {
      const payload = newItem(shop(), kind, { externalReference: "erp-1" });
      const [first, second] = await shop().batch([
        [intent("create"), { ...payload, components: [] }],
        [intent("upsert"), payload],
      ]);
      expect([first, second]).toMatchObject([
        { name: "ComponentContentValidationFailedError" },
        { action: "created" },
      ]);
      expect(await shop().all(itemContents)).toHaveLength(1);
    });
  });

  test("a product without tree, VAT type and variants is put at the root, with one variant and the first VAT type", async () => {
    await addShape(shop(), "product", "bare", {});
    const bare = { language: "en", name: "Stool", shapeIdentifier: "bare" };
    await shop().done("product/upsert", { ...bare, externalReference: "erp-7" });
    const { output } = await shop().done("product/upsert", bare);
    const [referenced, unreferenced] = [
      (await shop().all(items)).find(({ externalReference }) => externalReference === "erp-7"),
      await shop().get(items, output.id as string),
    ];
    const expected = {
      parentId: shop().tenant.rootItemId,
      vatTypeId: shop().tenant.settings.vatTypes[0]?.id,
    };
    expect([referenced, unreferenced]).toMatchObject([expected, expected]);
    const variants = [
      ...(await variantsOf(shop(), referenced?.id ?? "")),
      ...(await variantsOf(shop(), output.id as string)),
    ];
    expect(variants).toMatchObject([
      { sku: "erp-7", isDefault: true, contents: { en: { name: "Stool" } } },
      { sku: output.id, isDefault: true },
    ]);
  });

  test("a product without tree stays where it is in an upsert", async () => {
    const parentId = await create(shop(), "folder");
    const itemId = await create(shop(), "product", { tree: { parentId } });
    await shop().done("product/upsert", {
      itemId,
      language: "en",
      name: "Renamed",
      shapeIdentifier: "product",
    });
    expect(await shop().get(items, itemId)).toMatchObject({ parentId });
  });

  describe.each(kinds)("%s", (kind) => {
    const intent = (verb: string) => `${kind}/${verb}` as Intent;

    const wrong: [what: string, payload: object, path: string, message: string, name?: string][] = [
      [
        "a language that the tenant lacks",
        { language: "de" },
        "language",
        '"en", "no"',
        "SettingNotFoundError",
      ],
      ["an unknown shape", { shapeIdentifier: "nix" }, "shapeIdentifier", '"nix"', "ShapeNotFoundError"],
      [
        "an unknown parent",
        { tree: { parentId: unknownId } },
        "tree.parentId",
        unknownId,
        "ItemNotFoundError",
      ],
      ["a name of 513 characters", { name: "x".repeat(513) }, "name", "at most 512"],
      ["an empty external reference", { externalReference: "" }, "externalReference", "at least 1"],
      ["251 topics", { topicIds: Array(251).fill(unknownId) }, "topicIds", "the limit is 250"],
      [
        "a topic that does not exist",
        { topicIds: [unknownId] },
        "topicIds.0",
        `No topic has the id ${unknownId}`,
        "TopicNotFoundError",
      ],
      ["a year that no calendar has", { createdAt: "+012000-01-01T00:00:00Z" }, "createdAt", "12000"],
      [
        "a missing required component",
        { components: [] },
        "components",
        '"title"',
        "ComponentContentValidationFailedError",
      ],
      [
        "an unknown component",
        { components: [title("a"), { componentId: "titel", singleLine: { text: "a" } }] },
        "components.1.componentId",
        'Did you mean "title"?',
        "ComponentContentValidationFailedError",
      ],
    ];

    test.each(wrong)("an item is not created with %s", async (_, payload, path, message, name) => {
      const refusal = await shop().refused(intent("create"), newItem(shop(), kind, { ...payload }));
      expect(refusal.name).toBe(name ?? "ValidationError");
      expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([path]);
      expect(refusal.message).toContain(message);
      expect(await shop().all(itemContents)).toEqual([]);
    });

    test("an item is not created with the shape of another kind", async () => {
      const other = kind === "folder" ? "document" : "folder";
      const refusal = await shop().refused(
        intent("create"),
        newItem(shop(), kind, { shapeIdentifier: other }),
      );
      expect(refusal.message).toContain(`of the type ${other}, not ${kind}`);
    });

    test("an item is not created under an item that is not a folder", async () => {
      const parentId = await create(shop(), "document");
      const refusal = await shop().refused(intent("create"), newItem(shop(), kind, { tree: { parentId } }));
      expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["tree", "parentId"] }] });
    });

    test("an item is not created with the resource identifier of another item", async () => {
      const taken = await create(shop(), "document", { resourceIdentifier: "mine" });
      const refusal = await shop().refused(
        intent("create"),
        newItem(shop(), kind, { resourceIdentifier: "mine" }),
      );
      expect(refusal.name).toBe("ResourceIdentifierTakenError");
      expect(refusal.message).toContain(taken);
    });

    test("updating a missing item is refused with the key it was looked up by", async () => {
      const byId = await shop().refused(intent("update"), { itemId: unknownId, language: "en" });
      expect(byId).toMatchObject({ name: "ItemNotFoundError", message: `No item has the id ${unknownId}` });
      const byName = await shop().refused(intent("update"), { resourceIdentifier: "nix", language: "en" });
      expect(byName).toMatchObject({ name: "ItemNotFoundError" });
      expect(byName.message).toContain('resource identifier "nix"');
    });

    test("an item is not updated by the intent of another kind", async () => {
      const other = kind === "folder" ? "document" : "folder";
      const itemId = await create(shop(), other);
      const refusal = await shop().refused(intent("update"), { itemId, language: "en", name: "x" });
      expect(refusal.name).toBe("ConflictError");
      expect(refusal.message).toBe(
        `The item "A ${other}" (${itemId}) is a ${other}, not a ${kind}; use ${other}/update`,
      );
      expect(shop().statements.execute).toBe(0);
    });

    test("an item cannot change its shape", async () => {
      await addShape(shop(), kind, "second");
      const itemId = await create(shop(), kind);
      const payload = newItem(shop(), kind, { itemId, shapeIdentifier: "second" });
      const refusal = await shop().refused(intent("upsert"), payload);
      expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["shapeIdentifier"] }] });
      expect(refusal.message).toContain(`The item "A ${kind}" (${itemId}) has the shape "${kind}"`);
      expect(shop().statements.execute).toBe(0);
    });

    test("an item needs a name to get another language", async () => {
      const itemId = await create(shop(), kind, { externalReference: "erp-9" });
      const refusal = await shop().refused(intent("update"), {
        itemId,
        language: "no",
        components: [title("Eik")],
      });
      expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["name"] }] });
      expect(refusal.message).toContain(`The ${kind} "erp-9" (${itemId}) has nothing in the language "no"`);
    });

    test("an update cannot take the resource identifier of another item", async () => {
      const itemId = await create(shop(), kind);
      await create(shop(), "folder", { resourceIdentifier: "mine" });
      const refusal = await shop().refused(intent("update"), {
        itemId,
        resourceIdentifier: "mine",
        language: "en",
      });
      expect(refusal.name).toBe("ResourceIdentifierTakenError");
    });

    test("an external reference that several items have chooses none of them", async () => {
      await create(shop(), kind, { externalReference: "erp-1" });
      await create(shop(), kind, { externalReference: "erp-1" });
      const refusal = await shop().refused(
        intent("upsert"),
        newItem(shop(), kind, { externalReference: "erp-1" }),
      );
      expect(refusal).toMatchObject({ name: "AmbiguousReferenceError", statusCode: 409 });
    });
  });

  test("a folder that is the root of the tenant cannot be changed", async () => {
    const refusal = await shop().refused("folder/update", {
      itemId: shop().tenant.rootItemId,
      language: "en",
      name: "x",
    });
    expect(refusal).toMatchObject({ name: "ConflictError" });
    expect(refusal.message).toContain("root folder");
  });

  test("a product is refused a VAT type that the tenant lacks", async () => {
    const refusal = await shop().refused(
      "product/create",
      newItem(shop(), "product", { vatTypeId: unknownId }),
    );
    expect(refusal).toMatchObject({ name: "SettingNotFoundError", errors: [{ path: ["vatTypeId"] }] });
  });
});
