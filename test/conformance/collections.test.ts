import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allCollections } from "../../packages/service/src/storage/collections/all.ts";
import { columnName, type Table } from "../../packages/service/src/storage/unit-of-work/collection.ts";
import { openTestPostgres } from "../support/engines.ts";
import { opened } from "../support/opened.ts";

const folder = join(import.meta.dirname, "../../packages/service/src/storage/collections");
const modules = await Promise.all((await readdir(folder)).map((file) => import(join(folder, file))));
const collections = modules.flatMap((module) =>
  Object.values(module as Record<string, unknown>).filter(
    (value): value is Table => (value as Partial<Table> | null)?.sql !== undefined,
  ),
);
const database = opened(openTestPostgres);

test.each(collections.map((collection) => [collection.table, collection] as const))(
  "the unit of work takes for unique in %s what the database does",
  async (table, collection) => {
    const unique = await database.query<{ columns: string }>(
      `SELECT (SELECT string_agg(a.attname, ', ' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY AS k(attnum, n)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum) AS columns
       FROM pg_index i WHERE i.indrelid = $1::regclass AND i.indisunique AND NOT i.indisprimary AND i.indpred IS NULL`,
      [table],
    );
    const claimed = collection.unique.map((name) => {
      const index = collection.indexes[name] ?? [];
      return ["tenant_id", ...index.map(columnName)].join(", ");
    });
    const lookedUp = Object.values(collection.indexes).map((index) =>
      ["tenant_id", ...index.map(columnName)].join(", "),
    );
    expect(claimed.sort()).toEqual(
      unique
        .map(({ columns }) => columns)
        .filter((columns) => lookedUp.includes(columns))
        .sort(),
    );
  },
);

test("the list of collections contains all of the folder's, in the order of their tables", () => {
  expect(allCollections.map(({ table }) => table)).toEqual(collections.map(({ table }) => table).sort());
});
