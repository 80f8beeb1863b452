import type { Intent } from "@lading/schema";
import { beforeEach, describe, expect, test } from "vitest";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { describeOnEngines } from "../support/commands.ts";
import { addShape, create, kinds, newItem, prepare, title } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";

describeOnEngines("writing items", (shop) => {
  beforeEach(() => prepare(shop()));

  describe.each(kinds)("%s", (kind) => {
    const intent = (verb: string) => `${kind}/${verb}` as Intent;

    const wrong: [what: string, payload: object, name: string, path: unknown[], message: string][] = [
      [
        "a language that the tenant lacks",
        { language: "de" },
        "SettingNotFoundError",
        ["language"],
        '"en", "no"',
      ],
      ["an unknown shape", { shapeIdentifier: "nix" }, "ShapeNotFoundError", ["shapeIdentifier"], '"nix"'],
      [
        "an unknown parent",
        { tree: { parentId: unknownId } },
        "ItemNotFoundError",
        ["tree", "parentId"],
        unknownId,
      ],
      ["a name of 513 characters", { name: "x".repeat(513) }, "ValidationError", ["name"], "at most 512"],
      [
        "an empty external reference",
        { externalReference: "" },
        "ValidationError",
        ["externalReference"],
        "at least 1",
      ],
      [
        "251 topics",
        { topicIds: Array(251).fill(unknownId) },
        "ValidationError",
        ["topicIds"],
        "the limit is 250",
      ],
      [
        "a topic that does not exist",
        { topicIds: [unknownId] },
        "TopicNotFoundError",
        ["topicIds", 0],
        `No topic has the id ${unknownId}`,
      ],
      [
        "a year that no calendar has",
        { createdAt: "+012000-01-01T00:00:00Z" },
        "ValidationError",
        ["createdAt"],
        "12000",
      ],
      [
        "a missing required component",
        { components: [] },
        "ComponentContentValidationFailedError",
        ["components"],
        '"title"',
      ],
      [
        "an unknown component",
        { components: [title("a"), { componentId: "titel", singleLine: { text: "a" } }] },
        "ComponentContentValidationFailedError",
        ["components", 1, "componentId"],
        'Did you mean "title"?',
      ],
    ];

    test.each(wrong)("an item is not created with %s", async (_, payload, name, path, message) => {
      const refusal = await shop().refused(intent("create"), newItem(shop(), kind, { ...payload }));
      expect(refusal).toMatchObject({ name, errors: [{ path }] });
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
      expect(refusal.message).toContain(`is a ${other}, not a ${kind}; use ${other}/update`);
    });

    test("an item cannot change its shape", async () => {
      await addShape(shop(), kind, "second");
      const itemId = await create(shop(), kind);
      const payload = newItem(shop(), kind, { itemId, shapeIdentifier: "second" });
      const refusal = await shop().refused(intent("upsert"), payload);
      expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["shapeIdentifier"] }] });
    });

    test("an item needs a name to get another language", async () => {
      const itemId = await create(shop(), kind);
      const refusal = await shop().refused(intent("update"), {
        itemId,
        language: "no",
        components: [title("Eik")],
      });
      expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["name"] }] });
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
