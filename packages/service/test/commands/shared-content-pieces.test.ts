import type { ComponentDefinition } from "@lading/schema";
import { beforeEach, describe, expect, test } from "vitest";
import { differingContent } from "../../src/tasks/facts.ts";
import { describeOnEngines } from "../support/commands.ts";
import { code, en, line, no, own, prepareShape, shared, sharedContent } from "./item/shared-content.ts";
import { addShape, create } from "./item/support.ts";

describeOnEngines("content that all languages share", (shop) => {
  beforeEach(() => prepareShape(shop()));

  const { read, update, publish, one, both } = sharedContent(shop);
  describe("inside a piece", () => {
    const use = (id: string, more = {}): ComponentDefinition => ({
      id,
      name: id,
      type: "piece",
      config: { piece: { identifier: "seo", ...more } },
    });
    const piece = (componentId: string, ...inside: object[]) => ({
      componentId,
      piece: { identifier: "seo", components: inside },
    });
    beforeEach(() =>
      shop().done("piece/create", {
        identifier: "seo",
        name: "SEO",
        components: [line("own"), line("code", shared)],
      }),
    );

    test("content in a piece is shared alone or with its piece; in a chunk the chunk's setting counts", async () => {
      const chunk: ComponentDefinition = {
        id: "rows",
        name: "Rows",
        type: "contentChunk",
        config: { contentChunk: { components: [line("code", shared)] } },
      };
      const definitions = [use("part"), use("whole", { multilingual: false }), chunk];
      await addShape(shop(), "document", "pieces", { components: definitions, variantComponents: [] });
      const rows = (value: string) => ({ componentId: "rows", contentChunk: { chunks: [[code(value)]] } });
      const content = (value: string) => [
        piece("part", own(value), code(value)),
        piece("whole", own(value), code(value)),
        rows(value),
      ];
      const item = { shapeIdentifier: "pieces", components: content("1") };
      const itemId = await create(shop(), "document", item);
      const write = (more: object) => shop().done("document/update", { itemId, ...no, ...more });
      await write({ name: "Side" });
      expect((await read(itemId))[1]).toEqual([piece("part", code("1")), content("1")[1]]);
      await write({ components: content("2") });
      expect((await read(itemId))[0]).toEqual([
        piece("part", own("1"), code("2")),
        content("2")[1],
        rows("1"),
      ]);
      await write({ components: [] });
      expect((await read(itemId))[0]).toEqual([piece("part", own("1")), rows("1")]);
    });

    test("shared content is loaded with the batch: as many statements for many as for few", async () => {
      await addShape(shop(), "document", "pieces", { components: [use("part")], variantComponents: [] });
      const statements = async (many: number) => {
        const components = [piece("part", code("1"))];
        const item = { shapeIdentifier: "pieces", components };
        const ids: string[] = [];
        for (let i = 0; i < many; i++) {
          const itemId = await create(shop(), "document", item);
          await shop().done("document/update", { itemId, ...no, name: `Side ${itemId}` });
          ids.push(itemId);
        }
        const component = piece("part", code("2"));
        await shop().batch(ids.map((itemId) => ["item/updateComponent/item", { itemId, ...en, component }]));
        const writing = { ...shop().statements };
        await shop().batch(ids.map((itemId) => ["item/publish", { itemId, ...en }]));
        return [writing, { ...shop().statements }];
      };
      expect(await statements(5)).toEqual(await statements(2));
    });

    test("a piece that begins to share content counts the items whose languages differ", async () => {
      await shop().done("piece/update", { identifier: "seo", name: "SEO", components: [line("code")] });
      await addShape(shop(), "document", "pieces", { components: [use("part")], variantComponents: [] });
      const item = { shapeIdentifier: "pieces", components: [piece("part", code("1"))] };
      const itemId = await create(shop(), "document", item);
      await create(shop(), "document", item);
      await shop().done("document/update", { itemId, ...no, name: "Side" });
      const update = { identifier: "seo", name: "SEO", components: [line("code", shared)] };
      const { output } = await shop().done("piece/update", update);
      expect(output.differing).toEqual({
        items: 1,
        more: false,
        components: [{ componentId: "code", place: "components.code", items: 1 }],
      });
    });
  });

  describe("since an update of the shape", () => {
    const plain = { components: [line("own"), line("code")], variantComponents: [line("code")] };
    const change = (lists: object) =>
      shop().done("shape/update", { identifier: "one", name: "One", ...lists });
    let itemId: string;
    beforeEach(async () => {
      await change(plain);
      itemId = await both();
      await update(itemId, { ...no, components: [code("2")] });
      await one({ variants: [{ sku: "b", name: "B" }] });
    });
    const sharing = {
      components: [line("own"), line("code", shared)],
      variantComponents: [line("code", shared)],
    };

    test("newly shared content reads as before until written, and the update counts differing items", async () => {
      const { output } = await change(sharing);
      expect(output.differing).toEqual({
        items: 1,
        more: false,
        components: [
          { componentId: "code", place: "components.code", items: 1 },
          { componentId: "code", place: "variantComponents.code", items: 1 },
        ],
      });
      expect(differingContent(output)).toBe(
        "languages still differ in 1 item (components.code in 1, variantComponents.code in 1)",
      );
      const different = [[own("x"), code("1")], [code("2")]];
      expect(await read(itemId)).toEqual(different);
      await publish(itemId, en);
      await publish(itemId, no);
      await shop().done("item/updateComponent/item", { itemId, ...no, component: own("y") });
      await publish(itemId, no);
      expect(await read(itemId, "published")).toEqual([
        [own("x"), code("1")],
        [code("2"), own("y")],
      ]);
      await shop().done("item/updateComponent/item", { itemId, ...no, component: code("2") });
      expect(await read(itemId)).toEqual([
        [own("x"), code("2")],
        [code("2"), own("y")],
      ]);
    });

    test("only the update that shares content counts where languages differ", async () => {
      await change(sharing);
      const { output } = await change(sharing);
      expect(output).not.toHaveProperty("differing");
      expect(shop().statements.execute).toBe(0);
    });
  });
});
