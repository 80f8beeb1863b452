import { beforeEach, describe, expect, test } from "vitest";
import { updateComponent as updateOnItem } from "../../src/domain/item/update-component.ts";
import { storedImages } from "../../src/media/stored-images.ts";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { pieces } from "../../src/storage/collections/pieces.ts";
import { newId } from "../../src/storage/ids.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { operator } from "../../src/tenants/audit.ts";
import { describeOnEngines } from "../support/commands.ts";
import { addShape, create, draftOf, intro, prepare, title, variantBySku, width } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";

describeOnEngines("updating one component", (shop) => {
  beforeEach(() => prepare(shop()));

  const onItem = (itemId: string, component: object, language = "en") =>
    ["item/updateComponent/item", { itemId, language, component }] as const;
  const onSku = (sku: string, component: object, language = "en") =>
    ["item/updateComponent/sku", { sku, language, component }] as const;

  describe("of an item", () => {
    test("updateComponent is refused for an unknown item and a language that it does not have", async () => {
      expect(await shop().refused(...onItem(unknownId, title("x")))).toMatchObject({
        name: "ItemNotFoundError",
      });
      const itemId = await create(shop(), "document");
      const refusal = await shop().refused(...onItem(itemId, title("x"), "no"));
      expect(refusal).toMatchObject({ name: "ItemNotFoundError", errors: [{ path: ["language"] }] });
      expect(refusal.message).toContain('nothing in the language "no"; it has "en"');
      expect(await shop().refused(...onItem(itemId, title("x"), "de"))).toMatchObject({
        name: "SettingNotFoundError",
      });
    });

    test("updateComponent is refused when id and resource identifier name different items", async () => {
      const itemId = await create(shop(), "document", { resourceIdentifier: "one" });
      await create(shop(), "document", { resourceIdentifier: "two" });
      const payload = { itemId, resourceIdentifier: "two", language: "en", component: title("x") };
      const refusal = await shop().refused("item/updateComponent/item", payload);
      expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["resourceIdentifier"] }] });
      expect(refusal.message).toContain('"one", not "two"');
    });

    test("updateComponent refuses content that does not fit, and the path leads into the component", async () => {
      const itemId = await create(shop(), "document");
      const unknown = await shop().refused(
        ...onItem(itemId, { componentId: "tittle", singleLine: { text: "x" } }),
      );
      expect(unknown).toMatchObject({
        name: "ComponentContentValidationFailedError",
        errors: [{ path: ["component", "componentId"] }],
      });
      const typed = await shop().refused(...onItem(itemId, { componentId: "title", numeric: { number: 1 } }));
      expect(typed.errors[0]?.path).toEqual(["component", "numeric"]);
    });

    test("updateComponent replaces its component, adds a missing one, and removes it when it is null", async () => {
      const itemId = await create(shop(), "document", { resourceIdentifier: "mine" });
      expect(await shop().done(...onItem(itemId, intro("<p>A</p>")))).toEqual({
        action: "updated",
        output: { id: itemId },
      });
      await shop().done(...onItem(itemId, title("Ash")));
      expect((await draftOf(shop(), itemId))?.components).toEqual([title("Ash"), intro("<p>A</p>")]);
      const payload = {
        resourceIdentifier: "mine",
        language: "en",
        component: { componentId: "intro", richText: null },
      };
      await shop().done("item/updateComponent/item", payload);
      expect((await draftOf(shop(), itemId))?.components).toEqual([title("Ash")]);
    });

    test("updateComponent with the stored content changes nothing", async () => {
      const itemId = await create(shop(), "document");
      const before = await draftOf(shop(), itemId);
      expect(await shop().done(...onItem(itemId, title("Oak")))).toMatchObject({ action: "unchanged" });
      expect(await shop().done(...onItem(itemId, { componentId: "intro", richText: null }))).toMatchObject({
        action: "unchanged",
      });
      expect(await draftOf(shop(), itemId)).toEqual(before);
    });

    test("updateComponent does not touch published versions", async () => {
      const itemId = await create(shop(), "document");
      await shop().done("item/publish", { itemId, language: "en" });
      await shop().done(...onItem(itemId, title("Ash")));
      const published = await shop().get(itemContents, itemId, "en", "published");
      expect(published?.components).toEqual([title("Oak")]);
    });

    test("updateComponent without validation accepts content beyond a limit for a component of the shape", async () => {
      await addShape(shop(), "document", "short", {
        components: [{ id: "title", name: "Title", type: "singleLine", config: { singleLine: { max: 3 } } }],
      });
      const itemId = await create(shop(), "document", { shapeIdentifier: "short", components: [] });
      const execute = (component: object) =>
        shop().database.transaction(async (transaction) => {
          const unit = new UnitOfWork(transaction, shop().tenant.id);
          const payload = { itemId, language: "en", component, disableContentValidation: true };
          const { tenant, store } = shop();
          const media = storedImages(store, tenant.id);
          const context = { unit, tenant, actor: operator, media, now: new Date().toISOString() };
          const result = await updateOnItem.execute(context, payload as never);
          await unit.flush();
          return result;
        });
      await expect(execute({ componentId: "nix", singleLine: { text: "x" } })).rejects.toThrow(
        "no such component",
      );
      await expect(execute({ componentId: "title", numeric: { number: 1 } })).rejects.toThrow(
        "as a singleLine",
      );
      expect(await execute(title("too long"))).toMatchObject({ action: "updated" });
      expect((await draftOf(shop(), itemId))?.components).toEqual([title("too long")]);
    });

    test("updateComponent can write a piece that contains itself", async () => {
      const now = new Date().toISOString();
      await shop().database.transaction(async (transaction) => {
        const unit = new UnitOfWork(transaction, shop().tenant.id);
        const components = [
          { id: "label", name: "Label", type: "singleLine" as const },
          { id: "inner", name: "Inner", type: "piece" as const, config: { piece: { identifier: "box" } } },
        ];
        unit.insert(pieces, {
          identifier: "box",
          revision: newId(),
          name: "Box",
          components,
          createdAt: now,
          updatedAt: now,
        });
        await unit.flush();
      });
      await addShape(shop(), "document", "boxed", {
        components: [{ id: "box", name: "Box", type: "piece", config: { piece: { identifier: "box" } } }],
      });
      const itemId = await create(shop(), "document", { shapeIdentifier: "boxed", components: [] });
      const label = { componentId: "label", singleLine: { text: "a" } };
      const box = (componentId: string, ...components: object[]) => ({
        componentId,
        piece: { identifier: "box", components },
      });
      await shop().done(...onItem(itemId, box("box", label, box("inner", label))));
      expect((await draftOf(shop(), itemId))?.components).toMatchObject([
        box("box", label, box("inner", label)),
      ]);
      const refusal = await shop().refused(...onItem(itemId, box("box", { componentId: "labl" })));
      expect(refusal.errors[0]?.path).toEqual(["component", "piece", "components", 0, "componentId"]);
    });
  });

  describe("of a variant", () => {
    test("updateComponent of a variant is refused where only the item has that component", async () => {
      await create(shop(), "product", { variants: [{ sku: "a", name: "A" }] });
      const refusal = await shop().refused(...onSku("a", title("x")));
      expect(refusal).toMatchObject({ name: "ComponentContentValidationFailedError" });
    });

    test("updateComponent of a variant returns the product's id, and keeps other languages and fields", async () => {
      const id = await create(shop(), "product", {
        variants: [{ sku: "a", name: "A", components: [width(1)] }],
      });
      expect(await shop().done(...onSku("a", width(2)))).toEqual({ action: "updated", output: { id } });
      await shop().done(...onSku("a", width(3), "no"));
      expect((await variantBySku(shop(), "a"))?.contents).toEqual({
        en: { name: "A", attributes: [], components: [width(2)] },
        no: { name: null, attributes: [], components: [width(3)] },
      });
      expect(await shop().done(...onSku("a", width(3), "no"))).toMatchObject({ action: "unchanged" });
    });
  });
});
