import type { ComponentDefinition } from "@lading/schema/internal";
import { beforeEach, describe, expect, test } from "vitest";
import { overlapping } from "../../../../test/support/concurrency/overlapping.ts";
import { executeCommand } from "../../src/commands/execute.ts";
import { shapes } from "../../src/storage/collections/shapes.ts";
import { operator } from "../../src/tenants/audit.ts";
import {
  describeOnEngines,
  executing,
  type WrittenOperation,
  type WrittenPayload,
} from "../support/commands.ts";
import { create, draftOf, intro, prepare, title, variantBySku, width } from "./item/support.ts";

const en = { language: "en" };
const line = (id: string): ComponentDefinition => ({ id, name: id, type: "singleLine" });
const text = (componentId: string, value = componentId) => ({ componentId, singleLine: { text: value } });
const rows: ComponentDefinition = {
  id: "rows",
  name: "Rows",
  type: "contentChunk",
  config: { contentChunk: { components: [line("height"), line("width")], repeatable: true } },
};

describeOnEngines("renaming a component", (shop) => {
  beforeEach(() => prepare(shop()));

  const rename = (from: string, to: string, identifier = "document") =>
    shop().done("shape/component/rename", { identifier, from, to });
  const refused = (from: string, to: string, identifier = "document") =>
    shop().refused("shape/component/rename", { identifier, from, to });
  const shape = (components: readonly object[], more: WrittenPayload = {}) =>
    shop().done("shape/update", { identifier: "document", name: "document", components, ...more });
  const update = (itemId: string, component: object) =>
    shop().done("item/updateComponent/item", { itemId, ...en, component });
  const stored = async (itemId: string) => (await draftOf(shop(), itemId))?.components;

  describe("is refused", () => {
    test("in a shape or piece that does not exist", async () => {
      expect(await refused("title", "heading", "documnet")).toMatchObject({
        name: "ShapeNotFoundError",
        message: expect.stringContaining('Did you mean "document"?'),
      });
      const piece = { identifier: "none", from: "a", to: "b" };
      expect(await shop().refused("piece/component/rename", piece)).toMatchObject({
        name: "PieceNotFoundError",
      });
    });

    test("for a component that does not exist, and names the nearest", async () => {
      expect(await refused("titel", "heading")).toMatchObject({
        name: "ComponentNotFoundError",
        message: 'The shape "document" has no component "titel". Did you mean "title"?',
        errors: [{ code: "ComponentNotFound", path: ["from"] }],
      });
    });

    test("for a component inside a chunk without that chunk, and names the nearest", async () => {
      await shape([line("title"), rows]);
      const { message } = await refused("rows.heigt", "tall");
      expect(message).toBe('The shape "document" has no component "rows.heigt". Did you mean "rows.height"?');
    });

    test("by an earlier id of its chunk, and says the present one", async () => {
      await shape([line("title"), rows]);
      await rename("rows", "lines");
      await rename("lines.height", "tall");
      const { message } = await refused("rows.height", "x");
      expect(message).toBe(
        'The shape "document" has no component "rows.height". It was renamed to "lines.tall".',
      );
    });

    test("by an earlier id, and says the present one", async () => {
      await rename("intro", "summary");
      await rename("summary", "lead");
      for (const former of ["intro", "summary"])
        expect(await refused(former, "text")).toMatchObject({
          message: `The shape "document" has no component "${former}". It was renamed to "lead".`,
        });
    });

    test("by an earlier id after the name of its list, and says the present one", async () => {
      await rename("intro", "summary");
      expect(await refused("components.intro", "text")).toMatchObject({
        message:
          'The shape "document" has no component "components.intro". It was renamed to "components.summary".',
      });
      expect(await refused("components.sumary", "text")).toMatchObject({
        message: expect.stringContaining('Did you mean "components.summary"?'),
      });
    });

    test("to the id of a neighbour", async () => {
      expect(await refused("intro", "title")).toMatchObject({
        name: "ComponentIdTakenError",
        message: 'The shape "document" has a component "title" already',
        errors: [{ code: "ComponentIdTaken", path: ["to"] }],
      });
    });

    test.each([" ", " heading", "heading "])("to %j", async (to) => {
      expect(await refused("title", to)).toMatchObject({
        name: "ValidationError",
        errors: [{ path: ["to"] }],
      });
    });

    test("for an id that both lists have, and says how to name one", async () => {
      await shop().done("shape/update", { identifier: "product", name: "P", components: [line("width")] });
      expect((await refused("width", "broad", "product")).message).toBe(
        'The shape "product" has two components "width": say "components.width" or "variantComponents.width"',
      );
      await rename("variantComponents.width", "broad", "product");
      const row = await shop().get(shapes, "product");
      expect(row?.components[0]?.id).toBe("width");
      expect(row?.variantComponents[0]?.id).toBe("broad");
    });

    test("to an id that names a component inside a chunk, or gives one such a name", async () => {
      await shape([line("title"), line("rows.tall"), rows]);
      const taken = (path: string) => ({
        name: "ComponentIdTakenError",
        message: `The shape "document" has a component "${path}" already`,
      });
      expect(await refused("title", "rows.width")).toMatchObject(taken("rows.width"));
      expect(await refused("rows.height", "tall")).toMatchObject(taken("rows.tall"));
      await rename("rows", "lines");
      await rename("lines.height", "tall");
      expect(await refused("lines", "rows")).toMatchObject(taken("rows.tall"));
    });

    test("to a path", async () => {
      await shape([line("title"), rows]);
      expect((await refused("rows.height", "rows.tall")).message).toBe(
        '"to" is the new id alone, as in "tall"',
      );
    });
  });

  test("after the name of a list, `from` names a component of the list before one of a chunk of that name", async () => {
    await shape([line("height"), { ...rows, id: "components" }]);
    await rename("components.height", "tall");
    const inList = await shop().get(shapes, "document");
    expect(inList?.components.map(({ id }) => id)).toEqual(["tall", "components"]);
    await rename("components.components.height", "high");
    await rename("components.width", "wide");
    const chunk = (await shop().get(shapes, "document"))?.components[1];
    expect(chunk?.config?.contentChunk?.components?.map(({ id }) => id)).toEqual(["high", "wide"]);
  });

  test("to the id that it has changes nothing", async () => {
    const before = await shop().get(shapes, "document");
    expect(await rename("title", "title")).toMatchObject({ action: "unchanged" });
    expect(await shop().get(shapes, "document")).toEqual(before);
  });

  test("writes one row, however many items have content in it", async () => {
    await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
    expect(await rename("intro", "summary")).toMatchObject({
      action: "updated",
      output: { renamed: { from: "components.intro", to: "components.summary" } },
    });
    expect(shop().statements).toEqual({ prefetch: 1, execute: 0, flush: 1 });
  });

  test("content is written by the new id, and no more by the old one", async () => {
    const itemId = await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
    await rename("intro", "summary");
    const component = { ...intro("x") };
    expect(await shop().refused("item/updateComponent/item", { itemId, ...en, component })).toMatchObject({
      message: expect.stringContaining('There is no component "intro" here. It was renamed to "summary".'),
    });
    await update(itemId, { ...intro("Taller"), componentId: "summary" });
    expect(await stored(itemId)).toEqual([title("Oak"), intro("Taller")]);
    await update(itemId, { componentId: "summary", richText: null });
    expect(await stored(itemId)).toEqual([title("Oak")]);
  });

  test("three renames swap two components", async () => {
    await shape([line("title"), line("a"), line("b")]);
    const itemId = await create(shop(), "document", { components: [text("title"), text("a"), text("b")] });
    const [, a, b] = (await stored(itemId)) ?? [];
    for (const [from, to] of [
      ["a", "t"],
      ["b", "a"],
      ["t", "b"],
    ] as const)
      await rename(from, to);
    await update(itemId, text("a", "new a"));
    expect(await stored(itemId)).toEqual([text("title"), a, { ...b, singleLine: { text: "new a" } }]);
  });

  test("a later update of the shape by the new id keeps the content, and one by the old id orphans it", async () => {
    const itemId = await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
    await rename("intro", "summary");
    const summary = { id: "summary", name: "Intro", type: "richText" };
    const { output } = await shape([line("title"), { ...summary, name: "Summary" }]);
    expect(output).not.toHaveProperty("orphaned");
    await update(itemId, title("Ash"));
    expect(await stored(itemId)).toEqual([title("Ash"), intro("Tall")]);
    const { output: byOldId } = await shape([line("title"), { ...summary, id: "intro" }]);
    expect(byOldId.orphaned).toMatchObject({ items: 1, components: [{ componentId: "summary" }] });
    await update(itemId, title("Yew"));
    expect(await stored(itemId)).toEqual([title("Yew")]);
  });

  test("a new component with the former id has no content", async () => {
    const itemId = await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
    await rename("intro", "summary");
    const summary = { id: "summary", name: "Intro", type: "richText" };
    await shape([line("title"), summary, { ...summary, id: "intro" }]);
    await update(itemId, intro("New"));
    const [, former, own] = (await stored(itemId)) ?? [];
    expect(former).toEqual(intro("Tall"));
    expect(own).toMatchObject({ richText: { html: ["New"] } });
    expect(own?.componentId).not.toBe("intro");
  });

  test("content of variants is that of the renamed component", async () => {
    const variants = [{ sku: "a", name: "A", components: [width(3)] }];
    const itemId = await create(shop(), "product", { variants });
    await rename("width", "breadth", "product");
    const component = { componentId: "breadth", numeric: { number: 4 } };
    await shop().done("item/updateComponent/sku", { sku: "a", ...en, component });
    expect((await variantBySku(shop(), "a"))?.contents.en?.components).toEqual([width(4)]);
    expect(await shop().done("item/publish", { itemId, ...en })).toMatchObject({ action: "published" });
    expect(await shop().done("item/publish", { itemId, ...en })).toMatchObject({ action: "unchanged" });
  });

  test("a required component is named by its new id when it lacks content", async () => {
    const itemId = await create(shop(), "document", { components: [title("Oak")] });
    await rename("title", "heading");
    await update(itemId, { componentId: "heading", singleLine: { text: "Ash" } });
    await shop().done("item/publish", { itemId, ...en });
    await shop().done("document/update", { itemId, ...en, components: [] });
    expect((await shop().refused("item/publish", { itemId, ...en })).message).toContain('"heading"');
  });

  test("content of components inside chunks follows", async () => {
    await shape([line("title"), rows]);
    const chunk = (...ids: string[]) => ({
      componentId: "rows",
      contentChunk: { chunks: [ids.map((id) => text(id, "1"))] },
    });
    const itemId = await create(shop(), "document", {
      components: [text("title"), chunk("height", "width")],
    });
    const before = await stored(itemId);
    expect((await rename("rows.height", "tall")).output.renamed).toEqual({
      from: "components.rows.height",
      to: "components.rows.tall",
    });
    await update(itemId, chunk("tall", "width"));
    expect(await stored(itemId)).toEqual(before);
  });

  test("a payload that has keys or former ids changes nothing about the content", async () => {
    const itemId = await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
    const definition = { id: "intro", name: "Intro", type: "richText", key: "title", formerIds: ["x"] };
    await shape([line("title"), definition]);
    await update(itemId, title("Ash"));
    expect(await stored(itemId)).toEqual([title("Ash"), intro("Tall")]);
    expect((await shop().get(shapes, "document"))?.components[1]).not.toHaveProperty("key");
  });

  test("content that is stored unchecked is that of the component with the id", async () => {
    await shape([line("title"), rows]);
    const chunk = (id: string) => ({ componentId: "rows", contentChunk: { chunks: [[text(id, "1")]] } });
    const itemId = await create(shop(), "document", { components: [text("title"), chunk("height")] });
    const before = await stored(itemId);
    await rename("rows.height", "tall");
    const unchecked = { itemId, ...en, component: chunk("tall"), disableContentValidation: true };
    const { tenant, store, database } = shop();
    const caller = { tenant, actor: operator };
    await executeCommand({ database, store }, caller, "item/updateComponent/item", unchecked);
    expect(await stored(itemId)).toEqual(before);
  });

  describe("at the same time as", () => {
    const renaming: WrittenOperation = [
      "shape/component/rename",
      { identifier: "document", from: "intro", to: "summary" },
    ];
    const overlap = (one: WrittenOperation, two: WrittenOperation) =>
      overlapping(shop().database, executing(shop(), one), executing(shop(), two));

    test("a write of the component by its old id loses nothing", async () => {
      const itemId = await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
      const write = (html: string): WrittenOperation => [
        "item/updateComponent/item",
        { itemId, ...en, component: intro(html) },
      ];
      expect(await overlap(write("Taller"), renaming)).toEqual(["updated", "updated"]);
      await update(itemId, { ...intro("Tallest"), componentId: "summary" });
      expect(await stored(itemId)).toEqual([title("Oak"), intro("Tallest")]);
    });

    test("a write that begins later is refused, or writes what has the new id by then", async () => {
      const itemId = await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
      const write: WrittenOperation = [
        "item/updateComponent/item",
        { itemId, ...en, component: intro("Late") },
      ];
      const [renamed, written] = await overlap(renaming, write);
      expect(renamed).toBe("updated");
      expect(["updated", "ComponentContentValidationFailedError"]).toContain(written);
      await update(itemId, title("Ash"));
      const html = written === "updated" ? "Late" : "Tall";
      expect(await stored(itemId)).toEqual([title("Ash"), intro(html)]);
    });

    test("another rename of the component, one is refused", async () => {
      const other: WrittenOperation = [renaming[0], { ...renaming[1], to: "lead" }];
      expect(await overlap(renaming, other)).toEqual(["updated", "ComponentNotFoundError"]);
    });

    test("another rename to the same id, one is refused", async () => {
      const other: WrittenOperation = [renaming[0], { ...renaming[1], from: "title" }];
      expect(await overlap(renaming, other)).toEqual(["updated", "ComponentIdTakenError"]);
    });

    test("an update of the shape by the old id, the content is orphaned and counted", async () => {
      const itemId = await create(shop(), "document", { components: [title("Oak"), intro("Tall")] });
      const components = [line("title"), { id: "intro", name: "Intro", type: "richText" }];
      const updating: WrittenOperation = ["shape/update", { identifier: "document", name: "D", components }];
      expect(await overlap(renaming, updating)).toEqual(["updated", "updated"]);
      await update(itemId, title("Ash"));
      expect(await stored(itemId)).toEqual([title("Ash")]);
    });
  });
});
