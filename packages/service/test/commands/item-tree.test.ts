import { slug } from "@lading/schema/internal";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { sortKeyAt } from "../../src/domain/tree.ts";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../src/storage/collections/items.ts";
import { newId } from "../../src/storage/ids.ts";
import { keysAround } from "../../src/storage/queries/sort-keys.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { countStatements, describeOnEngines, outcomesOf } from "../support/commands.ts";
import { create, draftOf, newItem, pathOf, prepare } from "./item/support.ts";

describeOnEngines("the tree of items", (shop) => {
  beforeEach(() => prepare(shop()));
  const folder = (name: string, parentId = shop().tenant.rootItemId, position?: number) =>
    create(shop(), "folder", { name, tree: { parentId, position } });

  const move = (itemId: string, parentId: string, position?: number) =>
    ["folder/update", { itemId, language: "en", tree: { parentId, position } }] as const;

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
      expect(outcomesOf(outcomes)).toBe("created created created");
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

  describe("a position", () => {
    test.each([1.5, 100_001])("position %s is refused", async (position) => {
      const payload = newItem(shop(), "folder", { tree: { parentId: shop().tenant.rootItemId, position } });
      const refusal = await shop().refused("folder/create", payload);
      expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["tree", "position"] }] });
      expect(refusal.message).toContain("from 0 to 100000");
    });

    test("positions count from 1; 0 is the first too, and beyond the last is the last", async () => {
      const parent = await folder("parent");
      for (const name of ["a", "b", "c"]) await folder(name, parent);
      await folder("second", parent, 2);
      await folder("first", parent, 1);
      await folder("zeroth", parent, 0);
      await folder("last", parent, 999);
      await folder("behind it", parent);
      const order = ["zeroth", "first", "a", "second", "b", "c", "last", "behind it"];
      expect(await childrenOf(parent)).toEqual(order);
    });

    const fill = (parent: string) =>
      shop().database.execute(
        `INSERT INTO items (tenant_id, id, type, shape_identifier, parent_id, sort_key, created_at, updated_at)
         SELECT $1, lpad(n::text, 24, '0'), type, shape_identifier, $2, 'z00' || lpad(n::text, 24, '0'), now(), now()
         FROM items, generate_series(1, 3000) n WHERE tenant_id = $1 AND parent_id = $2`,
        [shop().tenant.id, parent],
      );

    test.each([0, 1, 3])("position %i is found by reading a few rows of many", async (position) => {
      const parent = await folder("parent");
      const { tenant, database } = shop();
      await folder("a", parent);
      await fill(parent);
      const [sql] = await database.transaction(async (transaction) => {
        const counting = countStatements(transaction);
        await sortKeyAt(new UnitOfWork(counting, tenant.id), undefined, parent, position);
        return counting.statements;
      });
      const limit = keysAround + 3;
      const plan = await database.query<Record<string, string>>(`EXPLAIN (ANALYZE) ${sql}`, [
        ...[tenant.id, parent],
        ...[0, limit],
      ]);
      const rows = plan.flatMap((line) => [...(line["QUERY PLAN"] ?? "").matchAll(/actual .*rows=(\d+)/g)]);
      expect(rows.length).toBeGreaterThan(3);
      expect(Math.max(...rows.map((match) => Number(match[1])))).toBeLessThanOrEqual(limit);
    });

    test.each([0, 1500, 50_000])("position %i is looked up once for a whole batch", async (position) => {
      const parent = await folder("parent");
      const { tenant, database } = shop();
      await folder("a", parent);
      await fill(parent);
      const asked = await database.transaction(async (transaction) => {
        const counting = countStatements(transaction);
        const unit = new UnitOfWork(counting, tenant.id);
        const first = await unit.get(items, "000000000000000000000001");
        let before: string | undefined;
        for (let n = 0; n < 300; n++) {
          const sortKey = await sortKeyAt(unit, undefined, parent, position);
          if (before !== undefined && position < 3000) expect(sortKey < before).toBe(true);
          if (before !== undefined && position > 3000) expect(sortKey > before).toBe(true);
          before = sortKey;
          unit.insert(items, { ...(first as ItemRow), id: newId(), sortKey });
        }
        return counting.statements.filter((sql) => sql.includes("sort_key AS key"));
      });
      expect(asked.length).toBeLessThan(4);
    });

    test("the positions of a batch take its own additions and removals into account", async () => {
      const parent = await folder("parent");
      const { tenant, database } = shop();
      await folder("a", parent);
      await fill(parent);
      const rowAt = (n: number) => String(1 + (n % 3000)).padStart(24, "0");
      await database.transaction(async (transaction) => {
        const unit = new UnitOfWork(transaction, tenant.id);
        const key = (known: UnitOfWork, position: number) => sortKeyAt(known, undefined, parent, position);
        await key(unit, 1500);
        for (let n = 0; n < 60; n++) {
          const row = (await unit.get(items, rowAt(n * 1511))) as ItemRow;
          const mark = unit.mark();
          if (n % 3 === 0) unit.remove(items, row);
          else unit.update(items, { ...row, sortKey: await key(unit, 1400 + ((n * 37) % 200)) });
          if (n % 5 === 0) unit.rollback(mark);
          await unit.flush();
          const position = 1450 + ((n * 13) % 100);
          expect(await key(unit, position)).toBe(await key(new UnitOfWork(transaction, tenant.id), position));
        }
      });
    });

    test("a batch puts items at the same positions as single operations do", async () => {
      const wanted = fc.record({ item: fc.nat(11), position: fc.nat(14), fails: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(wanted, { minLength: 1, maxLength: 12 }), async (moves) => {
          const orders: string[][] = [];
          for (const way of ["batch", "single"]) {
            const parent = await folder(`${way} ${newId()}`);
            const ids: string[] = [];
            for (let n = 0; n < 6; n++) ids.push(await folder(`n${n}`, parent));
            const elsewhere: string[] = [];
            for (let n = 6; n < 12; n++) elsewhere.push(await folder(`n${n}`));
            const operations = moves.map(({ item, position, fails }) => {
              const [intent, payload] = move([...ids, ...elsewhere][item] as string, parent, position);
              // A component that the shape does not have: refused after the position was found.
              const components = fails ? [{ componentId: "nothing", singleLine: { text: "x" } }] : undefined;
              return [intent, { ...payload, components }] as const;
            });
            if (way === "batch") await shop().batch(operations.map(([...operation]) => operation));
            else for (const operation of operations) await shop().batch([[...operation]]);
            orders.push(await childrenOf(parent));
          }
          expect(orders[0]).toEqual(orders[1]);
        }),
        { numRuns: runs(8) },
      );
    });

    test("any position in an empty folder is the only one", async () => {
      const parent = await folder("parent");
      await folder("a", parent, 7);
      await folder("b", parent, 1);
      expect(await childrenOf(parent)).toEqual(["b", "a"]);
    });

    test("moving an item to its own position changes nothing", async () => {
      const parent = await folder("parent");
      const ids = [await folder("a", parent), await folder("b", parent), await folder("c", parent)];
      for (const [i, id] of ids.entries())
        expect(await shop().done(...move(id, parent, i + 1))).toMatchObject({ action: "unchanged" });
      expect(await shop().done(...move(ids[2] as string, parent, 50))).toMatchObject({ action: "unchanged" });
    });

    test("a new position moves an item among its siblings", async () => {
      const parent = await folder("parent");
      const [a, , c] = [await folder("a", parent), await folder("b", parent), await folder("c", parent)];
      await shop().done(...move(c, parent, 1));
      expect(await childrenOf(parent)).toEqual(["c", "a", "b"]);
      await shop().done(...move(a, parent, 3));
      expect(await childrenOf(parent)).toEqual(["c", "b", "a"]);
    });

    test("a position between two siblings with the same sort key is after both", async () => {
      const parent = await folder("parent");
      const [a, b] = [await folder("a", parent), await folder("b", parent)];
      await folder("c", parent);
      const row = await shop().get(items, a);
      await shop().database.execute("UPDATE items SET sort_key = $2 WHERE id = $1", [b, row?.sortKey ?? ""]);
      await folder("between", parent, 2);
      expect(await childrenOf(parent)).toEqual(["a", "b", "between", "c"]);
    });

    test("many items can be put between the same two siblings", async () => {
      const parent = await folder("parent");
      await folder("a", parent);
      await folder("b", parent);
      const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
      await shop().batch(
        names.map((name) => [
          "folder/create",
          newItem(shop(), "folder", { name, tree: { parentId: parent, position: 2 } }),
        ]),
      );
      expect(await childrenOf(parent)).toEqual(["a", ...names.reverse(), "b"]);
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
