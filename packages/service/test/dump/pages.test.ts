import { expect, test } from "vitest";
import { dumpReaders } from "../../src/commands/registry.ts";
import { beginDump } from "../../src/domain/dump/dump.ts";
import { pageLimits } from "../../src/domain/dump/dumped-tenant.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";

interface DumpedOperation {
  intent: string;
  itemId?: string;
  shortcuts?: { parentId: string; position: number }[];
}

async function chunksOf({ database, tenant }: Shop): Promise<string[]> {
  const text = await beginDump({ database, imageUrl: (key) => key, dumpReaders }, tenant.id);
  if (typeof text === "string") throw new Error(text);
  return Array.fromAsync(text);
}

async function operationsOf(shop: Shop): Promise<DumpedOperation[]> {
  return JSON.parse((await chunksOf(shop)).join("")).operations;
}

const shelf = { language: "en", shapeIdentifier: "shelf" };
const shelfShape = {
  ...{ identifier: "shelf", name: "Shelf", type: "folder" },
  components: [{ id: "text", name: "Text", type: "singleLine" }],
};

async function makeShelves(shop: Shop, count: number): Promise<string[]> {
  await shop.batch([["shape/create", shelfShape]]);
  const tree = { parentId: shop.tenant.rootItemId };
  await shop.batch(
    Array.from({ length: count }, (_, i) => ["folder/create", { ...shelf, name: `${i}`, tree }]),
  );
  const rows = await shop.database.query<{ id: string }>(
    "SELECT id FROM items WHERE tenant_id = $1 AND parent_id = $2 ORDER BY sort_key, id",
    [shop.tenant.id, shop.tenant.rootItemId],
  );
  return rows.map(({ id }) => id);
}

describeOnEngines("a page of a dump", (shop) => {
  test("exceeds its bytes by at most one item, however large items are", async () => {
    const ids = await makeShelves(shop(), 12);
    const megabyte = `jsonb_build_array(jsonb_build_object('componentId', 'text', 'singleLine',
      jsonb_build_object('text', repeat('tea ', 262144))))::json`;
    await shop().database.execute(
      `UPDATE item_contents SET components = ${megabyte} WHERE tenant_id = $1 AND item_id = ANY($2)`,
      [shop().tenant.id, ids],
    );
    const chunks = await chunksOf(shop());
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(pageLimits.bytes + 2 ** 21);
    const { operations } = JSON.parse(chunks.join(""));
    expect(operations.flatMap(({ itemId }: DumpedOperation) => itemId ?? [])).toEqual(ids);
  });

  test.each([
    [
      "JSON",
      "meta = jsonb_build_array(jsonb_build_object('key', 'k', 'value', repeat('tea ', 262144)))::json",
    ],
    ["texts", "first_name = repeat('tea ', 262144)"],
  ])("exceeds its bytes by at most one row, however large rows are by their %s", async (_, large) => {
    const identifiers = Array.from({ length: 12 }, (_, i) => `customer-${String(i).padStart(2, "0")}`);
    await shop().batch(identifiers.map((identifier) => ["customer/create", { identifier }]));
    await shop().database.execute(`UPDATE customers SET ${large} WHERE tenant_id = $1`, [shop().tenant.id]);
    const chunks = await chunksOf(shop());
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(pageLimits.bytes + 2 ** 21);
    const { operations } = JSON.parse(chunks.join(""));
    const customers = operations.filter(({ intent }: DumpedOperation) => intent === "customer/upsert");
    expect(customers.map(({ identifier }: { identifier: string }) => identifier)).toEqual(identifiers);
  });

  test("continues among the shortcuts of one folder, each with its position among the folder's entries", async () => {
    const [folder = "", ...others] = await makeShelves(shop(), 2 * pageLimits.rows + 2);
    const { tenant, database } = shop();
    // Half of the keys are shared by a child, and some by several shortcuts.
    await database.execute(
      `UPDATE items SET parent_id = $2 WHERE tenant_id = $1 AND id = ANY($3) AND ('x' || right(md5(id), 2))::bit(8)::int < 128`,
      [tenant.id, folder, others],
    );
    await database.execute(
      `INSERT INTO item_shortcuts (tenant_id, item_id, parent_id, sort_key)
       SELECT tenant_id, id, $2, CASE WHEN right(md5(id), 1) < '4' THEN 'a0' ELSE sort_key END FROM items
       WHERE tenant_id = $1 AND id = ANY($3)`,
      [tenant.id, folder, others],
    );
    const placed = await database.query<{ id: string; position: number }>(
      `SELECT id, position FROM (
         SELECT id, is_shortcut, row_number() OVER (ORDER BY sort_key, is_shortcut, id)::int AS position FROM (
           SELECT id, sort_key, false AS is_shortcut FROM items WHERE tenant_id = $1 AND parent_id = $2
           UNION ALL
           SELECT item_id, sort_key, true FROM item_shortcuts WHERE tenant_id = $1 AND parent_id = $2) shown) t
       WHERE is_shortcut ORDER BY position`,
      [tenant.id, folder],
    );
    const found = (await operationsOf(shop())).filter(({ intent }) => intent === "item/paths/addShortcuts");
    expect(
      found.map(({ itemId, shortcuts }) => ({ id: itemId, position: shortcuts?.[0]?.position })),
    ).toEqual(placed);
    expect(placed).toHaveLength(2 * pageLimits.rows + 1);
  });
});
