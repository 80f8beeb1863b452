import type { ComponentDefinition } from "@lading/schema/internal";
import { beforeEach, describe, expect, test } from "vitest";
import { type ItemContentRow, itemContents } from "../../src/storage/collections/item-contents.ts";
import { differingContent } from "../../src/tasks/facts.ts";
import { describeOnEngines, type Shop, type WrittenPayload } from "../support/commands.ts";
import { addShape, create, newItem, pathOf, prepare, variantBySku } from "./item/support.ts";

describeOnEngines("content that all languages share", (shop) => {
  beforeEach(() => prepareShape(shop()));
  const { contentOf, read, update, publish, one, both } = sharedContent(shop);
  const ofVariant = async (sku = "a") => {
    const contents = (await variantBySku(shop(), sku))?.contents;
    return [contents?.en?.components, contents?.no?.components];
  };

  test("a new language has the shared content, also in variants, and need not repeat required components", async () => {
    const itemId = await both();
    expect(await read(itemId)).toEqual([[own("x"), code("1")], [code("1")]]);
    expect(await ofVariant()).toEqual([[code("v1")], [code("v1")]]);
    expect(await publish(itemId, no)).toMatchObject({ action: "published" });
  });

  test("a new language keeps shared content it omits, and replaces what it sets", async () => {
    const itemId = await one();
    await update(itemId, { ...no, name: "Stol", components: [own("y")] });
    expect(await read(itemId)).toEqual([
      [own("x"), code("1")],
      [own("y"), code("1")],
    ]);
    const other = await one({ variants: [{ sku: "b", name: "B", components: [code("v1")] }] });
    const variants = [{ sku: "b", name: "B", components: [own("w")] }];
    await update(other, { ...no, name: "Stol", components: [code("2")], variants });
    expect(await read(other)).toEqual([[own("x"), code("2")], [code("2")]]);
    expect(await ofVariant("b")).toEqual([[code("v1")], [own("w"), code("v1")]]);
  });

  test("shared content is written in one language and holds for all; other content stays", async () => {
    const itemId = await both();
    await update(itemId, { ...no, components: [own("y"), code("2")] });
    expect(await read(itemId)).toEqual([
      [own("x"), code("2")],
      [own("y"), code("2")],
    ]);
    const component = code("3");
    await shop().done("item/updateComponent/item", { itemId, ...en, component });
    expect(await read(itemId)).toEqual([
      [own("x"), code("3")],
      [own("y"), code("3")],
    ]);
    await shop().done("item/updateComponent/sku", { sku: "a", ...no, component: code("v2") });
    expect(await ofVariant()).toEqual([[code("v2")], [code("v2")]]);
    await shop().done("product/variant/update", { sku: "a", ...en, components: [own("w"), code("v3")] });
    expect(await ofVariant()).toEqual([[own("w"), code("v3")], [code("v3")]]);
    await shop().done("product/variant/create", {
      productId: itemId,
      ...no,
      sku: "new",
      name: "New",
      components: [code("n")],
    });
    expect(await ofVariant("new")).toEqual([[code("n")], [code("n")]]);
  });

  test("null, and a list without it, clear shared content in all languages", async () => {
    const itemId = await both();
    await update(itemId, { ...en, components: [own("x")] });
    expect(await read(itemId)).toEqual([[own("x")], []]);
    await update(itemId, { ...no, components: [own("y"), code("1")] });
    await update(itemId, { ...no, components: null });
    expect(await read(itemId)).toEqual([[own("x")], []]);
    const component = { componentId: "code", singleLine: null };
    await shop().done("item/updateComponent/sku", { sku: "a", ...no, component });
    expect(await ofVariant()).toEqual([[], []]);
  });

  test("a write of shared content changes another language's version only when its content changes", async () => {
    const itemId = await both();
    const before = await contentOf(itemId, "no");
    await update(itemId, { ...en, components: [own("z"), code("1")] });
    expect(await contentOf(itemId, "no")).toEqual(before);
    const same = { ...en, components: [own("z"), code("1")] };
    expect(await update(itemId, same)).toMatchObject({ action: "unchanged" });
    const component = code("1");
    const again = await shop().done("item/updateComponent/item", { itemId, ...no, component });
    expect(again).toMatchObject({ action: "unchanged" });
    await update(itemId, { ...en, components: [own("z"), code("2")] });
    const after = await contentOf(itemId, "no");
    expect(after.versionId).not.toBe(before.versionId);
  });

  test("publishing any language publishes shared content in all that are published, and in no other", async () => {
    const itemId = await both();
    await update(itemId, { ...en, components: [own("x"), code("2")] });
    await publish(itemId, en);
    expect(await contentOf(itemId, "no", "published")).toBeUndefined();
    await publish(itemId, no);
    await update(itemId, { ...en, components: [own("z"), code("3")] });
    await shop().done("item/updateComponent/sku", { sku: "a", ...en, component: code("v9") });
    expect(await publish(itemId, no)).toMatchObject({ action: "published" });
    expect(await read(itemId, "published")).toEqual([[own("x"), code("3")], [code("3")]]);
    const copies = [await contentOf(itemId, "en", "published"), await contentOf(itemId, "no", "published")];
    expect(copies.map(({ variants, language }) => variants?.[0]?.contents[language]?.components)).toEqual([
      [code("v9")],
      [code("v9")],
    ]);
    expect(await publish(itemId, no)).toMatchObject({ action: "unchanged" });
    await publish(itemId, en);
    expect(await publish(itemId, no)).toMatchObject({ action: "unchanged" });
  });

  test("an item that gets its published name again keeps its published path, and nothing is left to publish", async () => {
    const to = await create(shop(), "folder", { name: "to" });
    await shop().done("folder/update", { itemId: to, ...no, name: "to" });
    const taken = await one({ name: "Chair", tree: { parentId: to } });
    const itemId = await one({ name: "Chair", variants: [{ sku: "c", name: "C" }] });
    await update(itemId, { ...no, name: "Stol" });
    for (const language of [en, no]) await publish(itemId, language);
    await update(itemId, { ...en, name: "Seat", tree: { parentId: to } });
    await shop().done("item/delete", { itemId: taken });
    await update(itemId, { ...en, name: "Chair" });
    await shop().done("item/updateComponent/item", { itemId, ...no, component: code("2") });
    await publish(itemId, no);
    expect(await publish(itemId, en)).toMatchObject({ action: "unchanged" });
    expect(await pathOf(shop(), itemId, "en", "published")).toBe("/to/chair-2");
  });

  test("publishing a subtree publishes shared content, with as many statements for many as for few", async () => {
    const statements = async (many: number) => {
      const parentId = await create(shop(), "folder");
      const items = await Promise.all(
        Array.from({ length: many }, (_, i) =>
          newItem(shop(), "product", {
            shapeIdentifier: "one",
            tree: { parentId },
            components: [code("1")],
            resourceIdentifier: `r${many}-${i}`,
          }),
        ),
      );
      const all = { itemId: parentId, ...en, includeDescendants: true };
      const named = items.map(({ resourceIdentifier }) => ({ resourceIdentifier, ...no }));
      await shop().batch(items.map((item) => ["product/create", item]));
      await shop().batch(named.map((item) => ["product/update", { ...item, name: "Stol" }]));
      await shop().done("item/publish", all);
      await shop().batch(named.map((item) => ["item/publish", item]));
      await shop().batch(named.map((item) => ["product/update", { ...item, components: [code("2")] }]));
      await shop().done("item/publish", all);
      return { ...shop().statements };
    };
    expect(await statements(20)).toEqual(await statements(2));
    const published = (await shop().all(itemContents)).filter(({ version }) => version === "published");
    expect(published.filter(({ itemId: _, language }) => language === "no")).toHaveLength(22);
    for (const { language, components } of published)
      if (language === "no") expect(components).toEqual([code("2")]);
  });

  test("shared content costs a product one declared statement, and nothing if its shape shares none", async () => {
    const statements = async (shapeIdentifier: string, word: (value: string) => object) => {
      const variants = [{ sku: shapeIdentifier, name: "A" }];
      const components = [word("a")];
      const itemId = await create(shop(), "product", { shapeIdentifier, components, variants });
      await update(itemId, { ...no, name: "Stol", components: [word("b")] });
      await update(itemId, { ...en, components: [word("c")], variants });
      return { ...shop().statements };
    };
    expect(await statements("product", (value) => text("title", value))).toEqual({
      prefetch: 4,
      execute: 0,
      flush: 1,
    });
    expect(await statements("one", code)).toEqual({ prefetch: 5, execute: 0, flush: 1 });
  });

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

const shared = { singleLine: { multilingual: false } };

const line = (id: string, config?: object): ComponentDefinition => ({
  id,
  name: id,
  type: "singleLine",
  ...(config && { config }),
});

const text = (componentId: string, value: string) => ({ componentId, singleLine: { text: value } });
const [own, code] = [(value: string) => text("own", value), (value: string) => text("code", value)];
const required = { singleLine: { multilingual: false, required: true } };
const components = [line("own"), line("code", required)];
const en = { language: "en" };
const no = { language: "no" };

/** The shape "one", which shares a required line `code` between languages and has a line `own` in each. */
async function prepareShape(shop: Shop): Promise<void> {
  await prepare(shop);
  const variantComponents = [line("own"), line("code", shared)];
  await addShape(shop, "product", "one", { components, variantComponents });
}

function sharedContent(shop: () => Shop) {
  const contentOf = async (itemId: string, language: string, version = "draft") =>
    (await shop().get(itemContents, itemId, language, version)) as ItemContentRow;
  const read = async (itemId: string, version = "draft") => [
    (await contentOf(itemId, "en", version)).components,
    (await contentOf(itemId, "no", version)).components,
  ];
  const update = (itemId: string, more: WrittenPayload) => shop().done("product/update", { itemId, ...more });
  const publish = (itemId: string, language: object) => shop().done("item/publish", { itemId, ...language });
  const one = (more: WrittenPayload = {}) =>
    create(shop(), "product", {
      shapeIdentifier: "one",
      components: [own("x"), code("1")],
      variants: [{ sku: "a", name: "A", components: [code("v1")] }],
      ...more,
    });
  const both = async () => {
    const itemId = await one();
    await update(itemId, { ...no, name: "Stol" });
    return itemId;
  };
  return { contentOf, read, update, publish, one, both };
}
