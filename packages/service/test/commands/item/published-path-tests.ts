import { expect, test } from "vitest";
import { maxHistory } from "../../../src/domain/path/item-paths.ts";
import { type Shop, succeeded, type WrittenPayload } from "../../support/commands.ts";
import { create, draftOf, historyOf, newItem, pathOf, title } from "./support.ts";

export function publishedPathTests(shop: () => Shop): void {
  const folder = (name: string, parentId = shop().tenant.rootItemId) =>
    create(shop(), "folder", { name, tree: { parentId } });
  const named = (name: string, parentId = shop().tenant.rootItemId) =>
    create(shop(), "document", { name, tree: { parentId } });
  const publish = (itemId: string, more: WrittenPayload = {}) =>
    shop().done("item/publish", { itemId, language: "en", ...more });
  const update = (itemId: string, payload: WrittenPayload, kind: "folder" | "document" = "document") =>
    shop().done(`${kind}/update`, { itemId, language: "en", ...payload });
  const move = (itemId: string, parentId: string, kind: "folder" | "document" = "document") =>
    update(itemId, { tree: { parentId } }, kind);
  const pathsOf = async (id: string, language = "en") => [
    await pathOf(shop(), id, language),
    await pathOf(shop(), id, language, "published"),
  ];
  const published = async (name: string, parentId?: string) => {
    const id = await named(name, parentId);
    await publish(id);
    return id;
  };

  test("a published path stays while drafts are renamed, its own and above, until they are published", async () => {
    const [open, sketch] = [await folder("Open"), await folder("Sketch")];
    await publish(open);
    const [chair, stool] = [await published("Chair", open), await published("Stool", sketch)];
    await update(open, { name: "Closed" }, "folder");
    await update(chair, { name: "Seat" });
    await update(sketch, { name: "Plan" }, "folder");
    expect(await pathsOf(chair)).toEqual(["/closed/seat", "/open/chair"]);
    expect(await pathsOf(stool)).toEqual(["/plan/stool", "/plan/stool"]);
    await publish(chair);
    expect(await pathsOf(chair)).toEqual(["/closed/seat", "/open/seat"]);
    await publish(open);
    expect(await pathsOf(chair)).toEqual(["/closed/seat", "/closed/seat"]);
  });

  test("a draft knows whether it is published, whatever published it or took it back", async () => {
    const [open, chair] = [await folder("Open"), await published("Chair")];
    const inside = await named("Inside", open);
    await publish(open, { includeDescendants: true });
    await update(chair, { name: "Seat" });
    const flags = async () => {
      const rows = await shop().database.query<{ itemId: string; isPublished: boolean; right: boolean }>(
        `SELECT d.item_id AS "itemId", d.is_published AS "isPublished", d.is_published = EXISTS (
           SELECT FROM item_contents p WHERE p.tenant_id = d.tenant_id AND p.item_id = d.item_id
             AND p.language = d.language AND p.version = 'published') AS right
         FROM item_contents d WHERE d.tenant_id = $1 AND d.version = 'draft'`,
        [shop().tenant.id],
      );
      expect(rows.filter(({ right }) => !right)).toEqual([]);
      return [open, inside, chair].map((id) => rows.find(({ itemId }) => itemId === id)?.isPublished);
    };
    expect(await flags()).toEqual([true, true, true]);
    await shop().done("item/unpublish", { itemId: chair, language: "en" });
    expect(await flags()).toEqual([true, true, false]);
    await shop().done("item/unpublish", { itemId: open, language: "en", includeDescendants: true });
    expect(await flags()).toEqual([false, false, false]);
    await publish(inside);
    expect(await flags()).toEqual([false, true, false]);
  });

  test("a former path may be longer than a database index allows", async () => {
    // Random hexadecimal digits, which the database cannot compress.
    const long = () => Array.from({ length: 6 }, () => crypto.randomUUID().replaceAll("-", "")).join("");
    let parent = await folder(long());
    for (let depth = 1; depth < 40; depth++) parent = await folder(long(), parent);
    const chair = await published("Chair", parent);
    const before = await pathOf(shop(), chair);
    expect(before?.length).toBeGreaterThan(7_000);
    await move(chair, shop().tenant.rootItemId);
    expect(await historyOf(shop(), chair)).toEqual([before]);
    await move(chair, parent);
    expect(await historyOf(shop(), chair)).toEqual(["/chair"]);
  });

  test("another item does not get a segment that only a published version has, whichever writes it", async () => {
    const chair = await published("Chair");
    await update(chair, { name: "Seat" });
    const other = await named("Chair");
    expect(await pathOf(shop(), other)).toBe("/chair-2");
    const steal = `UPDATE item_contents SET segment = 'chair' WHERE tenant_id = $1 AND item_id = $2`;
    await expect(shop().database.execute(steal, [shop().tenant.id, other])).rejects.toMatchObject({
      code: "23505",
    });
    await update(chair, { name: "CHAIR" });
    expect(await pathsOf(chair)).toEqual(["/chair", "/chair"]);
    expect(
      await shop().done("document/update", { itemId: chair, language: "en", name: "Seat" }),
    ).toMatchObject({ action: "updated" });
    await publish(chair);
    expect(await pathOf(shop(), await named("Chair"))).toBe("/chair");
  });

  test("a batch that renames, publishes and reuses paths ends as its operations do one by one", async () => {
    const chair = await published("Chair");
    const outcomes = await shop().batch([
      ["document/update", { itemId: chair, language: "en", name: "Seat" }],
      ["document/create", newItem(shop(), "document", { name: "Chair" })],
      ["item/publish", { itemId: chair, language: "en" }],
      ["document/create", newItem(shop(), "document", { name: "Chair" })],
    ]);
    const made = outcomes.map((outcome) => pathOf(shop(), String(succeeded(outcome).output.id)));
    expect([await made[1], await made[3]]).toEqual(["/chair-2", "/chair"]);
    expect(await pathsOf(chair)).toEqual(["/seat", "/seat"]);
  });

  test("publishing another segment records the former path in that language, and only there", async () => {
    const chair = await published("Chair");
    await update(chair, { language: "no", name: "Stol", components: [title("Eik")] });
    await publish(chair, { language: "no" });
    await update(chair, { name: "Seat" });
    expect(await historyOf(shop(), chair)).toEqual([]);
    await publish(chair);
    expect([await historyOf(shop(), chair), await historyOf(shop(), chair, "no")]).toEqual([["/chair"], []]);
    await update(chair, { name: "SEAT" });
    await publish(chair);
    expect(await historyOf(shop(), chair)).toEqual(["/chair"]);
    await update(chair, { name: "Chair" });
    await publish(chair);
    expect(await historyOf(shop(), chair)).toEqual(["/seat"]);
  });

  test("publishing a subtree records each former path", async () => {
    const shelf = await folder("Shelf");
    const chair = await named("Chair", shelf);
    await publish(shelf, { includeDescendants: true });
    await update(shelf, { name: "Rack" }, "folder");
    await update(chair, { name: "Seat" });
    await publish(shelf, { includeDescendants: true });
    expect(await pathsOf(chair)).toEqual(["/rack/seat", "/rack/seat"]);
    expect([await historyOf(shop(), shelf), await historyOf(shop(), chair)]).toEqual([
      ["/shelf"],
      ["/shelf/chair"],
    ]);
  });

  test("publishing all below a folder asks as often for many renamed folders as for few", async () => {
    const keeper = await named("Keeper");
    const statements = async (count: number) => {
      const top = await folder(`Top ${count}`);
      const inside: string[] = [];
      for (let i = 0; i < count; i++) inside.push(await folder(`F${i}`, top));
      await publish(top, { includeDescendants: true });
      for (const id of inside) await update(id, { name: `New ${id}` }, "folder");
      const [child] = inside;
      await update(String(child), { name: "Last" }, "folder");
      await named("Leaf", child);
      const paths = [`/top-${count}/last/leaf`, "/kept"];
      await shop().done("item/paths/setHistory", { itemId: keeper, language: "en", paths });
      await publish(top, { includeDescendants: true });
      expect(await historyOf(shop(), keeper)).toEqual(["/kept"]);
      return { ...shop().statements };
    };
    await statements(2);
    const few = await statements(3);
    expect(await statements(6)).toEqual(few);
  });

  test("moving moves both versions in every language together, and records the former path", async () => {
    const [a, b] = [await folder("a"), await folder("b")];
    for (const itemId of [a, b]) await update(itemId, { language: "no", name: "mappe" }, "folder");
    const chair = await published("Chair", a);
    await update(chair, { language: "no", name: "Stol" });
    await update(chair, { name: "Seat" });
    await named("Chair", b);
    const { versionId } = (await draftOf(shop(), chair)) ?? {};
    await move(chair, b);
    expect(await pathsOf(chair)).toEqual(["/b/seat", "/b/chair-2"]);
    expect(await pathOf(shop(), chair, "no")).toBe("/mappe-2/stol");
    expect([await historyOf(shop(), chair), await historyOf(shop(), chair, "no")]).toEqual([
      ["/a/chair"],
      ["/mappe/stol"],
    ]);
    expect((await draftOf(shop(), chair))?.versionId).toBe(versionId);
  });

  test("a full history drops its oldest, and the result says so", async () => {
    const chair = await published("Chair");
    const paths = Array.from({ length: maxHistory }, (_, i) => `/old-${i}`);
    await shop().done("item/paths/setHistory", { itemId: chair, language: "en", paths });
    await update(chair, { name: "Seat" });
    expect((await publish(chair)).output).toEqual({
      ...{ id: chair, language: "en" },
      historyDropped: { count: 1, paths: ["/old-0"] },
    });
    expect(await historyOf(shop(), chair)).toEqual([...paths.slice(1), "/chair"]);
    const { output } = await move(chair, await folder("a"));
    expect(output.historyDropped).toEqual({ count: 1, paths: ["/old-1"] });
  });

  test("unpublishing an item with its own path records it as a former path, and frees it for others", async () => {
    const chair = await published("Chair");
    await update(chair, { name: "Seat" });
    await shop().done("item/unpublish", { itemId: chair, language: "en" });
    expect(await historyOf(shop(), chair)).toEqual(["/chair"]);
    expect(await pathOf(shop(), await named("Chair"))).toBe("/chair");
    expect(await historyOf(shop(), chair)).toEqual([]);
  });

  test("a path that becomes an item's own leaves the histories of others", async () => {
    const keeper = await named("Keeper");
    const paths = ["/new", "/renamed", "/shown", "/f/moved", "/f/child", "/g", "/g/child", "/kept"];
    await shop().done("item/paths/setHistory", { itemId: keeper, language: "en", paths });
    const left = () => historyOf(shop(), keeper);
    const item = await named("New");
    expect(await left()).not.toContain("/new");
    await update(item, { name: "Renamed" });
    expect(await left()).not.toContain("/renamed");
    await publish(item);
    await update(item, { name: "Shown" });
    expect(await left()).toContain("/shown");
    await publish(item);
    expect(await left()).not.toContain("/shown");
    const f = await folder("f");
    await move(await named("moved"), f);
    expect(await left()).toEqual(["/f/child", "/g", "/g/child", "/kept"]);
    await named("child", f);
    await update(f, { name: "g" }, "folder");
    expect(await left()).toEqual(["/kept"]);
  });

  test("renaming, publishing, moving and unpublishing asks the database as often for many as for few", async () => {
    const statements = async (count: number) => {
      const parentId = await folder("Many");
      const ids: string[] = [];
      for (let i = 0; i < count; i++) ids.push(await published(`Item ${i}`, parentId));
      const operations = (name: string) =>
        ids.map((itemId, i): ["document/update", WrittenPayload] => [
          "document/update",
          { itemId, language: "en", name: `${name} ${i}` },
        ]);
      const target = await folder("Target");
      await shop().batch(operations("Other"));
      const renaming = { ...shop().statements };
      await shop().batch(ids.map((itemId) => ["item/publish", { itemId, language: "en" }]));
      const publishing = { ...shop().statements };
      await shop().batch(
        ids.map((itemId) => ["document/update", { itemId, language: "en", tree: { parentId: target } }]),
      );
      const moving = { ...shop().statements };
      await shop().batch(operations("Last"));
      await shop().batch(ids.map((itemId) => ["item/unpublish", { itemId, language: "en" }]));
      return [renaming, publishing, moving, { ...shop().statements }];
    };
    await statements(1);
    const few = await statements(2);
    expect(await statements(5)).toEqual(few);
  });
}
