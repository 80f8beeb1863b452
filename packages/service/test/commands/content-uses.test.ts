import { beforeEach, describe, expect, test } from "vitest";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { addShape, create, newItem, prepare } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";
const relations = {
  id: "related",
  name: "Related",
  type: "itemRelations" as const,
  config: { itemRelations: { acceptedShapeIdentifiers: ["folder", "product"] } },
};
const choice = {
  id: "choice",
  name: "Choice",
  type: "componentChoice" as const,
  config: {
    componentChoice: {
      choices: [
        { ...relations, id: "inner" },
        { ...relations, id: "other" },
      ],
    },
  },
};
const files = {
  id: "manuals",
  name: "Manuals",
  type: "files" as const,
  config: {
    files: {
      acceptedContentTypes: [
        { contentType: "application/pdf" },
        { contentType: "image/*" },
        { contentType: "application/x-drawing", extensionLabel: ".DWG" },
      ],
      maxFileSize: { size: 1, unit: "KiB" as const },
    },
  },
};

describeOnEngines("what content uses", (shop) => {
  let [document, folder] = ["", ""];
  beforeEach(async () => {
    await prepare(shop());
    const variantComponents = [relations];
    await addShape(shop(), "document", "page", { components: [relations, choice, files] });
    await addShape(shop(), "product", "goods", { variantComponents });
    [document, folder] = [await create(shop(), "document"), await create(shop(), "folder")];
    await create(shop(), "product", { variants: [{ sku: "table", name: "Table" }] });
  });

  const page = (component: object, more: WrittenPayload = {}) =>
    newItem(shop(), "document", { shapeIdentifier: "page", components: [component], ...more });
  const related = (itemIds: string[], skus: string[] = []) => ({
    componentId: "related",
    itemRelations: { itemIds, skus },
  });

  describe("by relations", () => {
    test("a related item must have a shape that the relation accepts, in whatever form it is written", async () => {
      const wrong = related([folder, document]);
      const itemId = await create(shop(), "document", page(related([folder])));
      const { output } = await shop().done(
        "product/create",
        newItem(shop(), "product", {
          ...{ shapeIdentifier: "goods", components: [] },
          variants: [{ sku: "chair", name: "Chair" }],
        }),
      );
      const en = { language: "en" };
      const variant = { ...en, sku: "chair", name: "Chair", components: [wrong] };
      const refusals = [
        await shop().refused("document/create", page(wrong)),
        await shop().refused("document/update", { itemId, ...en, components: [wrong] }),
        await shop().refused("item/updateComponent/item", { itemId, ...en, component: wrong }),
        await shop().refused("item/updateComponent/sku", { sku: "chair", ...en, component: wrong }),
        await shop().refused("product/variant/update", variant),
        await shop().refused("product/variant/create", { ...variant, sku: "new", productId: output.id }),
      ];
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({
          name: "ComponentContentValidationFailedError",
          message: expect.stringMatching(/^(?:variants\.\d\.)?components\.related\.itemRelations: /),
          errors: [{ code: "ShapeNotAccepted" }],
        });
        expect(refusal.message).toContain(
          `: The item ${document} has the shape "document"; the relation accepts "folder" or "product"`,
        );
        expect(refusal.errors[0]?.path.slice(-3)).toEqual(["itemRelations", "itemIds", 1]);
      }
    });

    test("a related item is checked where it is nested, and by SKU", async () => {
      await addShape(shop(), "product", "odd", { components: [] });
      const odd = { shapeIdentifier: "odd", components: [], variants: [{ sku: "odd", name: "Odd" }] };
      await create(shop(), "product", odd);
      const inner = { componentId: "inner", itemRelations: { skus: ["table", "odd"] } };
      const refusal = await shop().refused(
        "document/create",
        page({ componentId: "choice", componentChoice: inner }),
      );
      expect(refusal).toMatchObject({
        message:
          "components.choice.componentChoice.inner.itemRelations: " +
          'The product of "odd" has the shape "odd"; the relation accepts "folder" or "product"',
        errors: [{ path: ["components", 0, "componentChoice", "itemRelations", "skus", 1] }],
      });
    });

    test("a related item may not exist, or not yet", async () => {
      const result = await shop().done(
        "document/create",
        page(related([unknownId, folder], ["nix", "table"])),
      );
      expect(result.action).toBe("created");
    });

    test("related items are loaded with the batch", async () => {
      const statements: number[] = [];
      for (const count of [1, 20]) {
        const payloads = Array.from({ length: count }, (_, i) =>
          page(related([folder, unknownId], ["table"]), { name: `${count} ${i}` }),
        );
        await shop().batch(payloads.map((payload) => ["document/create", payload]));
        statements.push(shop().statements.prefetch + shop().statements.execute);
      }
      expect(statements[1]).toBe(statements[0]);
    });
  });

  describe("by files", () => {
    const manuals = (...keys: string[]) => ({ componentId: "manuals", files: keys.map((key) => ({ key })) });

    test("a file must be of a type that the shape accepts", async () => {
      const refusal = await shop().refused(
        "document/create",
        page(manuals("a/b.pdf", "a/song.mp3", "a/none")),
      );
      expect(refusal.errors).toMatchObject([
        {
          code: "FileTypeNotAccepted",
          path: ["components", 0, "files", 1, "key"],
          message:
            'components.manuals.files: The file "a/song.mp3" is of the type audio/mpeg; ' +
            'the shape accepts "application/pdf", "image/*" or "application/x-drawing"',
        },
        { path: ["components", 0, "files", 2, "key"], message: expect.stringContaining("has no known type") },
      ]);
      const right = manuals("a/b.PDF", "a/c.png", "plan.dwg");
      expect((await shop().done("document/create", page(right))).action).toBe("created");
    });

    test("a file must not be larger than the shape allows", async () => {
      const store = async (bytes: number) => {
        const key = newUploadKey(shop().tenant.id, "manual.pdf", "MEDIA");
        await shop().store.put(key, chunks(Buffer.alloc(bytes, 1)), { maxBytes: 2_000 });
        return key;
      };
      const [small, large] = [await store(1_024), await store(1_025)];
      const refusal = await shop().refused("document/create", page(manuals(small, large)));
      expect(refusal.errors).toMatchObject([
        {
          code: "FileTooLarge",
          path: ["components", 0, "files", 1, "key"],
          message: `components.manuals.files: The file "${large}" has 1025 bytes; the shape allows at most 1 KiB`,
        },
      ]);
      expect((await shop().done("document/create", page(manuals(small)))).action).toBe("created");
    });
  });
});

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
