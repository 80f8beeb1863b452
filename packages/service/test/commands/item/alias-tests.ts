import { expect, test } from "vitest";
import { itemAliases } from "../../../src/storage/collections/item-aliases.ts";
import { openShop, type Shop, succeeded, type WrittenPayload } from "../../support/commands.ts";
import { countRowsRead } from "../../support/rows-read.ts";
import { create, newItem, pathOf, prepare } from "./support.ts";

export function aliasTests(shop: () => Shop): void {
  const folder = (name: string, parentId = shop().tenant.rootItemId) =>
    create(shop(), "folder", { name, tree: { parentId } });
  const named = (name: string, parentId = shop().tenant.rootItemId) =>
    create(shop(), "document", { name, tree: { parentId } });
  const addAlias = (itemId: string, ...paths: string[]) =>
    shop().done("item/paths/addAliases", { itemId, language: "en", paths });
  const rename = (itemId: string, name: string): ["folder/update", WrittenPayload] => [
    "folder/update",
    { itemId, language: "en", name },
  ];
  /** An alias from before aliases were checked against paths. */
  const force = (itemId: string, path: string) =>
    shop().database.execute(
      "INSERT INTO item_aliases (tenant_id, language, path, item_id) VALUES ($1, 'en', $2, $3)",
      [shop().tenant.id, path, itemId],
    );

  test.each(["item/paths/addAliases", "item/paths/setAliases"] as const)(
    "%s is refused for the path of an item, draft or published, and for the item's own",
    async (intent) => {
      const shelf = await folder("Shelf");
      const chair = await named("Chair", shelf);
      await shop().done("item/publish", { itemId: chair, language: "en" });
      await shop().done("document/update", { itemId: chair, language: "en", name: "Seat" });
      const other = await named("Other");
      const paths = ["/free", "/shelf/chair", "/shelf/seat", "/other", "/shelf/chair/below"];
      const refusal = await shop().refused(intent, { itemId: other, language: "en", paths });
      expect(refusal).toMatchObject({ name: "PathTakenError", statusCode: 409 });
      expect(refusal.errors).toEqual([
        {
          ...{ code: "PathTaken", path: ["paths", 1] },
          message: `"/shelf/chair" is the path of the item ${chair} in "en"`,
        },
        {
          ...{ code: "PathTaken", path: ["paths", 2] },
          message: `"/shelf/seat" is the path of the item ${chair} in "en"`,
        },
        {
          ...{ code: "PathTaken", path: ["paths", 3] },
          message: `"/other" is the path of the item ${other} itself in "en"`,
        },
      ]);
      expect(await shop().all(itemAliases)).toEqual([]);
      const elsewhere = { itemId: other, language: "no", paths: ["/shelf/chair"] };
      expect((await shop().done(intent, elsewhere)).action).toBe("updated");
    },
  );

  test("a segment is chosen free of other items' aliases: of a new, a renamed and a moved item, in each language", async () => {
    const keeper = await named("Keeper");
    const shelf = await folder("Shelf");
    await addAlias(keeper, "/chair", "/shelf/chair", "/shelf/keeper", "/stool");
    const [top, inside] = [await named("Chair"), await named("Chair", shelf)];
    expect([await pathOf(shop(), top), await pathOf(shop(), inside)]).toEqual(["/chair-2", "/shelf/chair-2"]);
    await shop().done("document/update", { itemId: top, language: "en", name: "Stool" });
    expect(await pathOf(shop(), top)).toBe("/stool-2");
    await shop().done("document/update", { itemId: top, language: "no", name: "Stool" });
    expect(await pathOf(shop(), top, "no")).toBe("/stool");
    await shop().done("document/update", { itemId: inside, language: "en", name: "Stool" });
    const out = { itemId: inside, language: "en", tree: { parentId: shop().tenant.rootItemId } };
    await shop().done("document/update", out);
    expect(await pathOf(shop(), inside)).toBe("/stool-3");
    const own = { itemId: keeper, language: "en", tree: { parentId: shelf } };
    await shop().done("document/update", own);
    expect(await pathOf(shop(), keeper)).toBe("/shelf/keeper");
  });

  test("a segment is also checked against the folder's published path", async () => {
    const [shelf, keeper] = [await folder("Shelf"), await named("Keeper")];
    await shop().done("item/publish", { itemId: shelf, language: "en" });
    await shop().done(...rename(shelf, "Rack"));
    await addAlias(keeper, "/shelf/chair", "/rack/stool");
    const [chair, stool] = [await named("Chair", shelf), await named("Stool", shelf)];
    expect([await pathOf(shop(), chair), await pathOf(shop(), stool)]).toEqual([
      "/rack/chair-2",
      "/rack/stool-2",
    ]);
  });

  test("a batch meets the aliases that it has written itself", async () => {
    const [keeper, shelf] = [await named("Keeper"), await folder("Shelf")];
    await named("Lamp", shelf);
    const outcomes = await shop().batch([
      ["item/paths/addAliases", { itemId: keeper, language: "en", paths: ["/chair", "/rack/lamp"] }],
      ["document/create", newItem(shop(), "document", { name: "Chair", resourceIdentifier: "new" })],
      rename(shelf, "Rack"),
      ["item/paths/addAliases", { itemId: keeper, language: "en", paths: ["/chair-2"] }],
    ]);
    expect(outcomes[1]).toMatchObject({ action: "created" });
    expect(outcomes[2]).toMatchObject({ name: "PathTakenError", errors: [{ path: ["name"] }] });
    expect(outcomes[3]).toMatchObject({ name: "PathTakenError" });
  });

  test("a folder is neither renamed nor moved where an item below it would come to another's alias", async () => {
    const [shelf, keeper] = [await folder("Shelf"), await named("Keeper")];
    const inner = await folder("Inner", shelf);
    const chair = await named("Chair", inner);
    await addAlias(keeper, "/rack/inner/chair", "/inner/chair");
    await addAlias(chair, "/plan/inner/chair");
    const message = (path: string) =>
      `The item ${chair} below would get the path "${path}", which is an alias of the item ${keeper} in "en"; remove that alias first`;
    expect(await shop().refused(...rename(shelf, "Rack"))).toMatchObject({
      ...{ name: "PathTakenError", statusCode: 409, errors: [{ path: ["name"] }] },
      message: message("/rack/inner/chair"),
    });
    const out = { itemId: inner, language: "en", tree: { parentId: shop().tenant.rootItemId } };
    expect(await shop().refused("folder/update", out)).toMatchObject({
      ...{ name: "PathTakenError", errors: [{ path: ["tree", "parentId"] }] },
      message: message("/inner/chair"),
    });
    expect(await pathOf(shop(), chair)).toBe("/shelf/inner/chair");
    await shop().done(...rename(shelf, "Plan"));
    expect(await pathOf(shop(), chair)).toBe("/plan/inner/chair");
  });

  test("a folder is not renamed if publishing it would bring an item below it to another's alias", async () => {
    const [shelf, keeper] = [await folder("Shelf"), await named("Keeper")];
    const inner = await folder("Inner", shelf);
    const chair = await named("Chair", inner);
    for (const itemId of [shelf, inner]) await shop().done("item/publish", { itemId, language: "en" });
    await shop().done(...rename(shelf, "Rack"));
    await addAlias(keeper, "/shelf/box/chair", "/shelf/box/free");
    expect(await shop().refused(...rename(inner, "Box"))).toMatchObject({ name: "PathTakenError" });
    await shop().done(...rename(inner, "Plan"));
    await shop().done("item/publish", { itemId: inner, language: "en" });
    expect(await pathOf(shop(), chair, "en", "published")).toBe("/shelf/plan/chair");
    const box = await folder("Box", shelf);
    expect(await pathOf(shop(), await named("Free", box))).toBe("/rack/box/free-2");
  });

  test("paths that collide already stay, and block nobody", async () => {
    const [shelf, keeper] = [await folder("Shelf"), await named("Keeper")];
    const chair = await named("Chair", shelf);
    await force(keeper, "/shelf/chair");
    const paths = ["/shelf/chair"];
    const again = await shop().done("item/paths/setAliases", { itemId: keeper, language: "en", paths });
    expect(again.action).toBe("unchanged");
    await shop().done("document/update", { itemId: chair, language: "en", name: "CHAIR" });
    await shop().done("item/publish", { itemId: shelf, language: "en", includeDescendants: true });
    expect(await pathOf(shop(), chair, "en", "published")).toBe("/shelf/chair");
    await shop().done(...rename(shelf, "Rack"));
    await shop().done(...rename(shelf, "Shelf"));
    expect(await pathOf(shop(), chair)).toBe("/shelf/chair");
  });

  test("looking for aliases costs nothing if there are none, and the same for many items as for few", async () => {
    const statements = async (count: number, name: string) => {
      await shop().batch(
        Array.from({ length: count }, (_, i) => [
          "document/create",
          newItem(shop(), "document", { name: `${name} ${i}` }),
        ]),
      );
      return { ...shop().statements };
    };
    const without = await statements(2, "a");
    expect(without).toMatchObject({ prefetch: 3, execute: 0 });
    await addAlias(await named("Keeper"), "/old");
    const few = await statements(2, "b");
    expect(few).toEqual({ ...without, prefetch: 4 });
    expect(await statements(5, "c")).toEqual(few);
  });

  /** The document "Keeper" of a new tenant with 20,000 aliases, whose transactions count the aliases that they read. */
  async function withManyAliases(path: string) {
    const database = countRowsRead(shop().database, "item_aliases");
    const counting = await openShop(database);
    await prepare(counting);
    const keeper = await create(counting, "document", { name: "Keeper" });
    await database.execute(
      `INSERT INTO item_aliases (tenant_id, language, path, item_id)
       SELECT $1, 'en', ${path}, $2 FROM generate_series(1, 20000) n`,
      [counting.tenant.id, keeper],
    );
    await database.execute("ANALYZE item_aliases");
    database.rows.read = 0;
    return { counting, keeper, rows: database.rows };
  }

  test("adding and removing aliases does not read the item's other aliases, which may be many", async () => {
    const { counting, keeper, rows } = await withManyAliases("'/old/' || n");
    const operations = (intent: "add" | "remove", from: string) =>
      Array.from({ length: 20 }, (_, i): [`item/paths/${"add" | "remove"}Aliases`, WrittenPayload] => [
        `item/paths/${intent}Aliases`,
        { itemId: keeper, language: "en", paths: [`/${from}/${i + 1}`] },
      ]);
    const batch = [...operations("add", "new"), ...operations("remove", "old")];
    for (const outcome of await counting.batch(batch)) expect(succeeded(outcome).action).toBe("updated");
    expect(rows.read).toBeGreaterThan(0);
    expect(rows.read).toBeLessThan(2 * batch.length);
    expect(await counting.all(itemAliases)).toHaveLength(20_000);
  });

  test("an alias is looked up by its path, however many end as a name does", async () => {
    const { counting, rows } = await withManyAliases("'/old/' || n || '/sale'");
    const count = 40;
    for (let i = 0; i < count; i++) await create(counting, "document", { name: "Sale" });
    expect(rows.read).toBeLessThan(2 * count);
  });
}
