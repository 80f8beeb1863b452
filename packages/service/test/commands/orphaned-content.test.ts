import type { ComponentDefinition } from "@lading/schema/internal";
import { beforeEach, describe, expect, test } from "vitest";
import { lostByShape } from "../../src/domain/shape/lost-content.ts";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { countContent, countLimits } from "../../src/storage/queries/content-counts.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { orphanedContent } from "../../src/tasks/facts.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, draftOf, intro, newItem, prepare, title, variantBySku, width } from "./item/support.ts";

const en = { language: "en" };
const titleOnly = {
  identifier: "document",
  components: [{ id: "title", type: "singleLine", name: "Title" }],
};
const line = (id: string): ComponentDefinition => ({ id, name: id, type: "singleLine" });
const text = (componentId: string, value = componentId) => ({ componentId, singleLine: { text: value } });

describeOnEngines("content whose component is gone", (shop) => {
  beforeEach(() => prepare(shop()));

  const shape = (type: string, lists: WrittenPayload) =>
    shop().done("shape/update", { identifier: type, name: type, ...lists });
  const published = (itemId: string) => shop().get(itemContents, itemId, "en", "published");
  const publish = (itemId: string) => shop().done("item/publish", { itemId, ...en });
  const components = [title("Oak"), intro("Tall")];

  describe("from its shape", () => {
    let itemId: string;
    beforeEach(async () => {
      itemId = await create(shop(), "document", { components });
      await shape("document", titleOnly);
    });

    test("content whose component is gone is still refused when a payload names it", async () => {
      const named = { itemId, ...en, components };
      expect(await shop().refused("document/update", named)).toMatchObject({
        errors: [{ code: "UnknownComponent", path: ["components", 1, "componentId"] }],
      });
      const component = { componentId: "intro", richText: null };
      const refusal = await shop().refused("item/updateComponent/item", { itemId, ...en, component });
      expect(refusal).toMatchObject({
        errors: [{ code: "UnknownComponent", path: ["component", "componentId"] }],
      });
    });

    test("content whose component is gone is not published, and does not prevent publishing", async () => {
      await shop().done("document/update", { itemId, ...en, name: "Edited" });
      await publish(itemId);
      expect((await published(itemId))?.components).toEqual([title("Oak")]);
      expect((await draftOf(shop(), itemId))?.components).toEqual(components);
    });

    test("content whose component is gone is dropped by the next write in that language, and in no other", async () => {
      await shape("document", { components: [line("title"), ...introOnly] });
      await shop().done("document/update", { itemId, language: "no", name: "Eik", components });
      const norwegian = (await draftOf(shop(), itemId, "no"))?.components;
      await shape("document", titleOnly);
      const component = title("Ash");
      await shop().done("item/updateComponent/item", { itemId, ...en, component });
      expect((await draftOf(shop(), itemId))?.components).toEqual([title("Ash")]);
      expect(norwegian).toMatchObject([title("Oak"), { richText: { html: ["Tall"] } }]);
      expect((await draftOf(shop(), itemId, "no"))?.components).toEqual(norwegian);
    });

    test("content stays orphaned when a component with the same id and type comes", async () => {
      await publish(itemId);
      await shape("document", { components: [line("title"), ...introOnly] });
      expect(await publish(itemId)).toMatchObject({ action: "unchanged" });
      expect((await published(itemId))?.components).toEqual([title("Oak")]);
      await shop().done("item/updateComponent/item", { itemId, ...en, component: title("Ash") });
      expect((await draftOf(shop(), itemId))?.components).toEqual([title("Ash")]);
    });

    test("content stays orphaned when a component comes with the same id and another type", async () => {
      const numeric = { id: "intro", name: "Intro", type: "numeric" };
      await shape("document", { components: [line("title"), numeric] });
      await publish(itemId);
      expect((await published(itemId))?.components).toEqual([title("Oak")]);
      const component = { componentId: "intro", numeric: { number: 1 } };
      await shop().done("item/updateComponent/item", { itemId, ...en, component });
      const stored = (await draftOf(shop(), itemId))?.components;
      expect(stored).toEqual([title("Oak"), { ...component, componentId: expect.any(String) }]);
    });
  });

  const introOnly = [{ id: "intro", name: "Intro", type: "richText" }];

  test("orphaned content of variants is not published, blocks nothing, and is dropped by the next write", async () => {
    const variants = [{ sku: "a", name: "A", components: [width(3)] }];
    const itemId = await create(shop(), "product", { variants });
    const { output } = await shape("product", { variantComponents: [line("colour")] });
    expect(output.orphaned).toEqual({
      items: 1,
      more: false,
      components: [{ componentId: "width", place: "variantComponents.width", items: 1 }],
    });
    await publish(itemId);
    expect((await published(itemId))?.variants?.[0]?.contents.en?.components).toEqual([]);
    await shop().done("item/updateComponent/sku", { sku: "a", ...en, component: text("colour") });
    const stored = (await variantBySku(shop(), "a"))?.contents.en?.components;
    expect(stored).toMatchObject([{ singleLine: { text: "colour" } }]);
  });

  /** A shape with the piece `pp` directly, in a chunk, in both kinds of choice, and within another piece. */
  const use = (id: string, identifier = "pp"): ComponentDefinition => ({
    id,
    name: id,
    type: "piece",
    config: { piece: { identifier } },
  });
  const nested: ComponentDefinition[] = [
    use("own"),
    use("within", "qq"),
    {
      id: "rows",
      name: "Rows",
      type: "contentChunk",
      config: { contentChunk: { components: [use("row")], repeatable: true } },
    },
    {
      id: "one",
      name: "One",
      type: "componentChoice",
      config: { componentChoice: { choices: [use("left"), line("right")] } },
    },
    {
      id: "some",
      name: "Some",
      type: "componentMultipleChoice",
      config: { componentMultipleChoice: { choices: [use("first"), line("second")] } },
    },
  ];
  const piece = (componentId: string, ...inside: object[]) => ({
    componentId,
    piece: { identifier: "pp", components: inside },
  });
  const nestedContent = (...inside: object[]) => [
    piece("own", ...inside),
    { componentId: "within", piece: { identifier: "qq", components: [piece("p", ...inside)] } },
    { componentId: "rows", contentChunk: { chunks: [[piece("row", ...inside)]] } },
    { componentId: "one", componentChoice: piece("left", ...inside) },
    { componentId: "some", componentMultipleChoice: [piece("first", ...inside), text("second")] },
  ];

  describe("from a piece", () => {
    beforeEach(async () => {
      await shop().done("piece/create", { identifier: "pp", name: "P", components: [line("a"), line("b")] });
      await shop().done("piece/create", { identifier: "qq", name: "Q", components: [use("p")] });
      await shop().done("shape/create", {
        identifier: "nested",
        name: "N",
        type: "document",
        components: nested,
      });
    });
    const nestedItem = () =>
      create(shop(), "document", {
        shapeIdentifier: "nested",
        components: nestedContent(text("a"), text("b")),
      });

    test("content of a component gone from a piece counts once for each item, wherever the piece is used", async () => {
      const itemId = await nestedItem();
      await create(shop(), "document", { shapeIdentifier: "nested", components: [] });
      const { output } = await shop().done("piece/update", {
        identifier: "pp",
        name: "P",
        components: [line("a")],
      });
      expect(output.orphaned).toEqual({
        items: 1,
        more: false,
        components: [{ componentId: "b", place: "components.b", items: 1 }],
      });
      await publish(itemId);
      expect((await published(itemId))?.components).toEqual(nestedContent(text("a")));
    });

    test("a write of another component drops content whose component is gone from a piece", async () => {
      const itemId = await nestedItem();
      await shop().done("piece/update", { identifier: "pp", name: "P", components: [line("a")] });
      const component = piece("own");
      await shop().done("item/updateComponent/item", { itemId, ...en, component });
      const [, ...others] = nestedContent(text("a"));
      expect((await draftOf(shop(), itemId))?.components).toEqual([component, ...others]);
    });

    test("the whole content is orphaned when the shape takes another piece or drops the choice", async () => {
      const itemId = await nestedItem();
      await shop().done("piece/create", { identifier: "rr", name: "R", components: [line("a")] });
      const [, within, rows] = nested;
      const one = { ...nested[3], config: { componentChoice: { choices: [line("right"), line("left")] } } };
      const changed = [use("own", "rr"), within, rows, one];
      const { output } = await shape("nested", { components: changed });
      expect(output.orphaned).toMatchObject({
        items: 1,
        components: [
          { place: "components.own" },
          { place: "components.one.left" },
          { place: "components.some" },
        ],
      });
      await publish(itemId);
      expect((await published(itemId))?.components).toEqual(nestedContent(text("a"), text("b")).slice(1, 3));
    });
  });

  test("orphaned content is counted by component, in drafts and published copies, even of its batch", async () => {
    const draft = await create(shop(), "document", { components });
    const copied = await create(shop(), "document", { components });
    await publish(copied);
    await shop().done("document/update", { itemId: copied, ...en, components: [title("Oak")] });
    const foreign = await shop().neighbour();
    await prepare(foreign);
    await create(foreign, "document", { components });
    const [, , updated] = await shop().batch([
      ["document/create", newItem(shop(), "document", { components })],
      ["document/update", { itemId: draft, ...en, components: [intro("x")] }],
      ["shape/update", { identifier: "document", name: "D", components: [] }],
    ]);
    const { output } = updated as { output: Record<string, unknown> };
    expect(output.orphaned).toEqual({
      items: 3,
      more: false,
      components: [
        { componentId: "title", place: "components.title", items: 2 },
        { componentId: "intro", place: "components.intro", items: 3 },
      ],
    });
    expect(orphanedContent(output)).toBe(
      "orphaned content in 3 items (components.title in 2, components.intro in 3)",
    );
  });

  test("an update that removes nothing counts no orphaned content", async () => {
    await create(shop(), "document", { components });
    const added = [line("title"), ...introOnly, line("more")];
    const { output } = await shape("document", { components: added });
    expect(output).not.toHaveProperty("orphaned");
    expect(shop().statements).toMatchObject({ execute: 0 });
    const { output: renamed } = await shape("document", { name: "Paper" });
    expect(renamed).not.toHaveProperty("orphaned");
    expect(shop().statements).toMatchObject({ execute: 0 });
  });

  test("orphaned content is counted up to a limit, and the message says there may be more", async () => {
    const item = newItem(shop(), "document", { components });
    await shop().batch(Array.from({ length: 120 }, () => ["document/create", item]));
    const count = (limits: { items: number; milliseconds: number }) =>
      shop().database.transaction((transaction) => {
        const unit = new UnitOfWork(transaction, shop().tenant.id);
        return countContent(
          unit,
          "held",
          ["document"],
          lostByShape({ components: [line("title")] }, {}),
          limits,
        );
      });
    expect(await count({ items: 10, milliseconds: 60_000 })).toMatchObject({ items: 10, more: true });
    expect(await count({ items: 120, milliseconds: 60_000 })).toMatchObject({ items: 120, more: false });
    expect(await count({ items: 1_000, milliseconds: 0 })).toMatchObject({ items: 100, more: true });
    const title = { componentId: "title", place: "components.title", items: countLimits.items };
    const orphaned = { items: countLimits.items, more: true, components: [title] };
    expect(orphanedContent({ orphaned })).toBe(
      "orphaned content in 10,000 or more items (components.title in 10,000)",
    );
  });
});
