import { expect, test } from "vitest";
import { NameRanks } from "../../src/domain/dump/natural/name-ranks.ts";
import { itemNames } from "../../src/storage/pages/natural-keys.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";

const folders = ["a".repeat(24), "b".repeat(24)];

/** Adds documents to two folders alternately, of three names in English and one in German, which not all have. */
async function addDocuments({ database, tenant }: Shop, from: number, to: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `WITH numbers AS (
       SELECT n, lpad(n::text, 24, '0') AS id, ($2::text[])[n % 2 + 1] AS folder FROM generate_series($3::int, $4::int) n),
     made AS (
       INSERT INTO items (tenant_id, id, type, shape_identifier, parent_id, sort_key, created_at, updated_at)
       SELECT $1, id, 'document', 'page', folder, lpad((n / 4)::text, 8, '0'), now(), now() FROM numbers)
     INSERT INTO item_contents (tenant_id, item_id, language, version, version_id, parent_id, segment, name, components,
       updated_at)
     SELECT $1, id, language, 'draft', id, folder, id, name, '[]', now()
     FROM numbers CROSS JOIN LATERAL (VALUES ('de', 'Seite'), ('en', 'Page ' || n % 3)) l(language, name)
     WHERE language = 'en' OR n % 5 = 0 RETURNING item_id AS id`,
    [tenant.id, folders, from, to],
  );
  return [...new Set(rows.map(({ id }) => id))].sort();
}

async function makeFolders({ batch, tenant }: Shop): Promise<void> {
  await batch([
    ["shape/create", { identifier: "page", name: "Page", type: "document" }],
    ["shape/create", { identifier: "shelf", name: "Shelf", type: "folder" }],
    ...folders.map((itemId): ["folder/upsert", object & Record<string, unknown>] => [
      "folder/upsert",
      {
        itemId,
        language: "en",
        name: itemId,
        shapeIdentifier: "shelf",
        tree: { parentId: tenant.rootItemId },
      },
    ]),
  ]);
}

const inPages = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / 9) }, (_, page) => ids.slice(page * 9, page * 9 + 9));

describeOnEngines("the ranks of items among those of their name", (shop) => {
  const ranksWith = (most?: number) =>
    new NameRanks({ tenant: shop().tenant, page: (read) => shop().database.snapshot(read) }, most);

  async function found(ranks: NameRanks, pages: readonly string[][]): Promise<Map<string, number>> {
    const rankById = new Map<string, number>();
    for (const ids of pages) {
      const names = await itemNames(shop().database, shop().tenant.id, ids);
      for (const [{ id }, rank] of await ranks.of(names)) rankById.set(id, rank);
    }
    return rankById;
  }

  /** Counts the items before each one by reading all drafts; positions in folders follow from ids here. */
  async function counted(): Promise<Map<string, number>> {
    const drafts = await shop().database.query<{
      id: string;
      folder: string;
      language: string;
      name: string;
    }>(
      `SELECT item_id AS id, parent_id AS folder, language, name FROM item_contents
       WHERE tenant_id = $1 AND parent_id = ANY($2) ORDER BY item_id, language`,
      [shop().tenant.id, folders],
    );
    const first = [...Map.groupBy(drafts, ({ id }) => id).values()].flatMap(([draft]) => draft ?? []);
    return new Map(
      first.map((draft) => {
        const same = drafts.filter(
          ({ folder, language, name }) =>
            folder === draft.folder && language === draft.language && name === draft.name,
        );
        return [draft.id, same.filter(({ id }) => id < draft.id).length];
      }),
    );
  }

  test.each([1, 4, 100_000])("are the same wherever a page begins, if %i are read together", async (most) => {
    await makeFolders(shop());
    const ids = await addDocuments(shop(), 1, 90);
    const expected = await counted();
    expect(Math.max(...expected.values())).toBeGreaterThan(8);
    const pages = inPages(ids);
    const orders = [
      pages,
      pages.toReversed(),
      inPages(ids.toSorted((a, b) => (a.at(-1)! < b.at(-1)! ? -1 : 1))),
    ];
    const ranks = ranksWith(most);
    for (const order of orders) expect([...(await found(ranks, order))].sort()).toEqual([...expected].sort());
  });

  test("come after existing ones, for items added after their folder was read", async () => {
    await makeFolders(shop());
    const ids = await addDocuments(shop(), 1, 39);
    const ranks = ranksWith();
    await found(ranks, inPages(ids));
    const added = await addDocuments(shop(), 40, 60);
    const rankById = await found(ranks, inPages(added));
    const expected = await counted();
    expect(added.map((id) => rankById.get(id))).toEqual(added.map((id) => expected.get(id)));
  });
});
