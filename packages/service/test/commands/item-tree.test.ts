import { slug } from "@lading/schema";
import { beforeEach, describe, expect, test } from "vitest";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { items } from "../../src/storage/collections/items.ts";
import { describeOnEngines } from "../support/commands.ts";
import { create, draftOf, newItem, pathOf, prepare } from "./item/support.ts";

describeOnEngines("the tree of items", (shop) => {
  beforeEach(() => prepare(shop()));

  const folder = (name: string, parentId = shop().tenant.rootItemId, position?: number) =>
    create(shop(), "folder", { name, tree: { parentId, position } });

  const move = (itemId: string, parentId: string, position?: number) =>
    ["folder/update", { itemId, language: "en", tree: { parentId, position } }] as const;

  /** The names of the children of a folder in their order. */
  const childrenOf = async (parentId: string): Promise<string[]> => {
    const children = (await shop().all(items)).filter((item) => item.parentId === parentId);
    children.sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : a.id < b.id ? -1 : 1));
    return Promise.all(children.map(async ({ id }) => (await draftOf(shop(), id))?.name ?? ""));
  };

  describe("moving", () => {
    test("a folder cannot be moved under itself", async () => {
      const a = await folder("a");
      const refusal = await shop().refused(...move(a, a));
      expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["tree", "parentId"] }] });
      expect(refusal.message).toContain("under itself");
    });

    test("a folder cannot be moved under its own grandchild, even when both were moved in the same batch", async () => {
      const [a, b, c] = [await folder("a"), await folder("b"), await folder("c")];
      const outcomes = await shop().batch([[...move(b, a)], [...move(c, b)], [...move(a, c)]]);
      expect(outcomes).toMatchObject([
        { action: "updated" },
        { action: "updated" },
        { name: "ConflictError" },
      ]);
      expect((outcomes[2] as Error).message).toContain(`${c}, which is below it`);
      expect(await pathOf(shop(), c)).toBe("/a/b/c");
    });

    test("an item cannot be moved under one that is not a folder, or does not exist", async () => {
      const a = await folder("a");
      const document = await create(shop(), "document");
      expect(await shop().refused(...move(a, document))).toMatchObject({ name: "ValidationError" });
      expect(await shop().refused(...move(a, "0123456789abcdef01234567"))).toMatchObject({
        name: "ItemNotFoundError",
      });
    });

    test("moving an item takes all below it along, in every language", async () => {
      const [a, b] = [await folder("a"), await folder("b")];
      const child = await folder("child", a);
      const leaf = await folder("leaf", child);
      await shop().done("folder/update", { itemId: child, language: "no", name: "barn" });
      await shop().done(...move(child, b));
      expect(await pathOf(shop(), leaf)).toBe("/b/child/leaf");
      expect(await draftOf(shop(), child, "no")).toMatchObject({ parentId: b, segment: "barn" });
    });

    test("moving gives an item another segment where the new parent has one of that name", async () => {
      const [a, b] = [await folder("a"), await folder("b")];
      await folder("same", a);
      const other = await folder("same", b);
      await shop().done(...move(other, a));
      expect(await pathOf(shop(), other)).toBe("/a/same-2");
    });

    test("moving puts an item after the new parent's children, although its id is older", async () => {
      const old = await folder("old");
      const parent = await folder("parent");
      await folder("young", parent);
      await shop().done(...move(old, parent));
      expect(await childrenOf(parent)).toEqual(["young", "old"]);
    });
  });

  describe("a path", () => {
    test("a path is unique under a parent, numbered up to 9 and marked with the id beyond", async () => {
      const ids: string[] = [];
      for (let i = 0; i < 11; i++) ids.push(await folder("Chair!"));
      const paths = await Promise.all(ids.map((id) => pathOf(shop(), id)));
      const numbered = Array.from({ length: 8 }, (_, i) => `/chair-${i + 2}`);
      expect(paths).toEqual(["/chair", ...numbered, `/chair-${ids[9]}`, `/chair-${ids[10]}`]);
    });

    test("a path is unique among items of one batch under a parent of the same batch", async () => {
      const parent = "0123456789abcdef01234567";
      const outcomes = await shop().batch([
        ["folder/upsert", newItem(shop(), "folder", { itemId: parent, name: "parent" })],
        ["folder/create", newItem(shop(), "folder", { name: "child", tree: { parentId: parent } })],
        ["document/create", newItem(shop(), "document", { name: "child", tree: { parentId: parent } })],
      ]);
      expect(outcomes.map((outcome) => "action" in outcome && outcome.action)).toEqual(
        Array(3).fill("created"),
      );
      const segments = (await shop().all(itemContents)).map(({ segment }) => segment);
      expect(segments.sort()).toEqual(["child", "child-2", "parent"]);
    });

    test("a path may be the same under another parent or in another language", async () => {
      const a = await folder("a");
      const [inside, outside] = [await folder("same", a), await folder("same")];
      await shop().done("folder/update", { itemId: a, language: "no", name: "same" });
      expect([await pathOf(shop(), inside), await pathOf(shop(), outside)]).toEqual(["/a/same", "/same"]);
      expect((await draftOf(shop(), a, "no"))?.segment).toBe("same");
    });

    test("a path follows the name, but stays when the change does not show in a path", async () => {
      const [, second] = [await folder("Chair"), await folder("Chair")];
      await shop().done("folder/update", { itemId: second, language: "en", name: "CHAIR" });
      expect(await pathOf(shop(), second)).toBe("/chair-2");
      await shop().done("folder/update", { itemId: second, language: "en", name: "Table" });
      expect(await pathOf(shop(), second)).toBe("/table");
    });

    test("a path is free again once its item is renamed or deleted in the same batch", async () => {
      const [a, b] = [await folder("one"), await folder("two")];
      await shop().batch([
        ["folder/update", { itemId: a, language: "en", name: "three" }],
        ["item/delete", { itemId: b }],
        ["folder/create", newItem(shop(), "folder", { name: "one" })],
        ["folder/create", newItem(shop(), "folder", { name: "two" })],
      ]);
      const segments = (await shop().all(itemContents)).map(({ segment }) => segment);
      expect(segments.sort()).toEqual(["one", "three", "two"]);
    });

    test("for a name without letters, the id becomes the path", async () => {
      const id = await folder("桌子");
      expect(await pathOf(shop(), id)).toBe(`/${id}`);
    });
  });
});

describe("a segment", () => {
  test.each([
    ["Chairs & Tables", "chairs-tables"],
    ["  Größe: ½ ", "grosse-1-2"],
    ["Cafétéria", "cafeteria"],
    ["Smørbrød på Łódź", "smorbrod-pa-lodz"],
    ["İstanbul", "istanbul"],
    ["ﬁne", "fine"],
    ["--", ""],
  ])("the segment of %j is %j", (name, expected) => {
    expect(slug(name)).toBe(expected);
  });

  test("a segment has at most 200 characters and does not end with a dash", () => {
    expect(slug(`${"x".repeat(199)} ${"y".repeat(50)}`)).toBe("x".repeat(199));
    expect(slug("ab".repeat(300))).toHaveLength(200);
  });
});
