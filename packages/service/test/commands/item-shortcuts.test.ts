import { beforeEach, expect, test } from "vitest";
import { itemShortcuts } from "../../src/storage/collections/item-shortcuts.ts";
import { items } from "../../src/storage/collections/items.ts";
import { positionsOfItems, shortcutsOfItems } from "../../src/storage/queries/tree.ts";
import { describeOnEngines } from "../support/commands.ts";
import { create, prepare } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";

describeOnEngines("the shortcuts of an item", (shop) => {
  let [itemId, a, b] = ["", "", ""];
  beforeEach(async () => {
    await prepare(shop());
    a = await create(shop(), "folder", { name: "a" });
    b = await create(shop(), "folder", { name: "b" });
    itemId = await create(shop(), "document", { resourceIdentifier: "mine" });
  });

  const folder = (parentId: string) => create(shop(), "folder", { tree: { parentId } });
  const parentsOf = async (id = itemId): Promise<string[]> =>
    (await shop().all(itemShortcuts)).flatMap((row) => (row.itemId === id ? [row.parentId] : [])).sort();
  const shownUnder = async (parentId: string): Promise<string[]> => {
    const children = (await shop().all(items)).map(({ id, sortKey, parentId }) => ({
      id,
      sortKey,
      parentId,
    }));
    const shortcuts = (await shop().all(itemShortcuts)).map(({ itemId, ...row }) => ({ id: itemId, ...row }));
    const shown = [...children, ...shortcuts].filter((row) => row.parentId === parentId);
    return shown.sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1)).map(({ id }) => id);
  };

  const writing = ["item/paths/addShortcuts", "item/paths/setShortcuts"] as const;

  test.each(writing)("%s refuses all shortcuts when one of them cannot have its position", async (intent) => {
    const document = await create(shop(), "document");
    const wrong = [
      [unknownId, "ItemNotFoundError", "does not exist"],
      [document, "ValidationError", "only folders have children"],
    ];
    for (const [parentId, name, message] of wrong) {
      const refusal = await shop().refused(intent, { itemId, shortcuts: [{ parentId: a }, { parentId }] });
      expect(refusal).toMatchObject({ name, errors: [{ path: ["shortcuts", 1, "parentId"] }] });
      expect(refusal.message).toContain(message);
    }
    expect(await parentsOf()).toEqual([]);
  });

  test.each(writing)("%s refuses two shortcuts under one parent, and a far position", async (intent) => {
    const twice = { itemId, shortcuts: [{ parentId: a }, { parentId: a, position: 2 }] };
    expect(await shop().refused(intent, twice)).toMatchObject({
      name: "ValidationError",
      message: `shortcuts[0] and shortcuts[1] have the same parent ${a}`,
    });
    const far = { itemId, shortcuts: [{ parentId: a, position: 100_001 }] };
    expect(await shop().refused(intent, far)).toMatchObject({
      name: "ValidationError",
      message: "shortcuts[0].position is 100001; use a whole number from 0 to 100000",
      errors: [{ path: ["shortcuts", 0, "position"] }],
    });
  });

  test("shortcuts of a folder make no circle: under itself, below it, or through other shortcuts", async () => {
    const below = await folder(a);
    for (const parentId of [a, below])
      expect(
        await shop().refused("item/paths/addShortcuts", { itemId: a, shortcuts: [{ parentId }] }),
      ).toMatchObject({ name: "ConflictError", errors: [{ path: ["shortcuts", 0, "parentId"] }] });
    await shop().done("item/paths/addShortcuts", { itemId: a, shortcuts: [{ parentId: b }] });
    const back = await shop().refused("item/paths/addShortcuts", {
      itemId: b,
      shortcuts: [{ parentId: below }],
    });
    expect(back).toMatchObject({ name: "ConflictError" });
    const move = { itemId: b, language: "en", tree: { parentId: below } };
    expect(await shop().refused("folder/update", move)).toMatchObject({
      name: "ConflictError",
      message: `The folder ${b} cannot be put under ${below}, which is below it`,
    });
  });

  test("the root folder cannot have shortcuts", async () => {
    for (const intent of writing)
      expect(await shop().refused(intent, { itemId: shop().tenant.rootItemId, shortcuts: [] })).toMatchObject(
        { name: "ConflictError" },
      );
  });

  test("shortcuts can be added, set and removed, repeatedly", async () => {
    const steps = [
      ["item/paths/addShortcuts", { shortcuts: [{ parentId: a }] }, [a]],
      ["item/paths/addShortcuts", { shortcuts: [{ parentId: b, position: 1 }] }, [a, b]],
      ["item/paths/removeShortcuts", { parentIds: [a, unknownId] }, [b]],
      ["item/paths/setShortcuts", { shortcuts: [{ parentId: a, position: 12 }] }, [a]],
      ["item/paths/setShortcuts", { shortcuts: [] }, []],
    ] as const;
    for (const [intent, payload, expected] of steps) {
      const named = { resourceIdentifier: "mine", ...payload };
      expect(await shop().done(intent, named)).toEqual({ action: "updated", output: { id: itemId } });
      expect(await parentsOf()).toEqual([...expected].sort());
      expect((await shop().done(intent, named)).action).toBe("unchanged");
      expect(shop().statements.flush).toBe(0);
    }
  });

  test.each(writing)("%s of a shortcut under the item's own parent changes nothing", async (intent) => {
    const own = { parentId: shop().tenant.rootItemId, position: 1 };
    const { sortKey } = (await shop().get(items, itemId)) ?? {};
    expect((await shop().done(intent, { itemId, shortcuts: [own] })).action).toBe("unchanged");
    expect((await shop().get(items, itemId))?.sortKey).toBe(sortKey);
    expect((await shop().done(intent, { itemId, shortcuts: [own, { parentId: a }] })).action).toBe("updated");
    expect(await parentsOf()).toEqual([a]);
  });

  test("shortcuts keep their positions among the children when none is sent", async () => {
    const [first, second] = [await folder(a), await folder(a)];
    const put = (position?: number) =>
      shop().done("item/paths/addShortcuts", {
        itemId,
        shortcuts: [{ parentId: a, ...(position !== undefined && { position }) }],
      });
    await put(2);
    expect(await shownUnder(a)).toEqual([first, itemId, second]);
    expect((await put()).action).toBe("unchanged");
    await put(1);
    expect(await shownUnder(a)).toEqual([itemId, first, second]);
    await put(99);
    expect(await shownUnder(a)).toEqual([first, second, itemId]);
    const locations = await shortcutsOfItems(shop().database, shop().tenant.id, [itemId]);
    expect(locations.get(itemId)).toEqual([{ itemId, parentId: a, position: 3 }]);
    const third = await create(shop(), "folder", { tree: { parentId: a, position: 3 } });
    expect(await shownUnder(a)).toEqual([first, second, third, itemId]);
  });

  test("positions count children and shortcuts, whichever of a folder are requested", async () => {
    const children: string[] = [];
    for (let i = 0; i < 6; i++) children.push(await folder(i % 2 === 0 ? a : b));
    for (const [item, parentId, position] of [
      [children[1], a, 1],
      [children[3], a, 3],
      [itemId, a, 9],
      [children[0], b, 2],
    ])
      await shop().done("item/paths/addShortcuts", { itemId: item, shortcuts: [{ parentId, position }] });
    const shown = new Map([
      [a, await shownUnder(a)],
      [b, await shownUnder(b)],
    ]);
    const positionIn = (id: string, parentId: string) => (shown.get(parentId)?.indexOf(id) ?? -1) + 1;
    const { database, tenant } = shop();
    for (let asked = 0; asked < 2 ** 6; asked++) {
      const ids = children.filter((_, i) => asked & (2 ** i));
      const expected = new Map(ids.map((id) => [id, positionIn(id, children.indexOf(id) % 2 === 0 ? a : b)]));
      expect(await positionsOfItems(database, tenant.id, ids)).toEqual(expected);
      const shortcuts = [...(await shortcutsOfItems(database, tenant.id, ids)).values()].flat();
      for (const { itemId, parentId, position } of shortcuts)
        expect(position).toBe(positionIn(itemId, parentId));
    }
  });

  test("shortcuts go when the item moves there, when it is deleted, and when their folder is", async () => {
    const shortcuts = [{ parentId: a }, { parentId: b }];
    await shop().done("item/paths/setShortcuts", { itemId, shortcuts });
    await shop().done("document/update", { itemId, language: "en", tree: { parentId: a } });
    expect(await parentsOf()).toEqual([b]);
    expect((await shop().done("item/delete", { itemId: b })).action).toBe("deleted");
    expect(await parentsOf()).toEqual([]);
    await shop().done("document/update", {
      itemId,
      language: "en",
      tree: { parentId: shop().tenant.rootItemId },
    });
    await shop().done("item/paths/setShortcuts", { itemId, shortcuts: [{ parentId: a }] });
    await shop().done("item/delete", { itemId });
    expect(await shop().all(itemShortcuts)).toEqual([]);
  });
});
