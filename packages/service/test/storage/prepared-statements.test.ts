import { describe, expect, test } from "vitest";
import { migratedDatabase } from "../../../../test/support/database.ts";
import { bothEngines } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { openPostgres } from "../../src/storage/engines/postgres.ts";
import { executing, openShop } from "../support/commands.ts";

describe.each(bothEngines)("statements that are repeated, on $name", ({ shared }) => {
  const database = opened(shared);

  test("prepared statements can be executed again after they failed, and after others failed before them", async () => {
    const divide = (by: number) =>
      database.transaction(async (transaction) => {
        const text = "SELECT 12 / $1::int AS quotient";
        const [first, second] = await Promise.all([
          transaction.query<{ quotient: number }>(text, [by]),
          transaction.query<{ quotient: number }>(text, [by]),
        ]);
        return [first[0]?.quotient, second[0]?.quotient];
      });
    for (const [by, expected] of [
      [0, undefined],
      [4, [3, 3]],
      [0, undefined],
      [6, [2, 2]],
    ] as const) {
      if (expected === undefined) await expect(divide(by)).rejects.toMatchObject({ code: "22012" });
      else expect(await divide(by)).toEqual(expected);
    }
  });

  test("prepared statements see the columns that a table has by then", async () => {
    await database.script("CREATE TABLE widening (a int); INSERT INTO widening VALUES (1)");
    const read = () => database.transaction((transaction) => transaction.query("SELECT a FROM widening"));
    expect(await read()).toEqual([{ a: 1 }]);
    await database.script("ALTER TABLE widening ADD COLUMN b int");
    expect(await read()).toEqual([{ a: 1 }]);
    await database.script("DROP TABLE widening");
  });

  test("statements outside of transactions are prepared only when they are repeated often", async ({
    skip,
  }) => {
    if (database.engine === "pglite") skip("PGlite prepares none");
    const [often, seldom] = ["SELECT 12 / $1::int AS often", "SELECT $1::int AS seldom"];
    for (let i = 1; i <= 12; i++)
      expect(await database.query(often, [i])).toEqual([{ often: Math.floor(12 / i) }]);
    await expect(database.query(often, [0])).rejects.toMatchObject({ code: "22012" });
    expect(await database.query(often, [6])).toEqual([{ often: 2 }]);
    for (let i = 1; i <= 9; i++) await database.query(seldom, [1]);
    const prepared = await database.query(
      "SELECT statement FROM pg_prepared_statements WHERE statement = ANY ($1)",
      [[often, seldom]],
    );
    expect(prepared).toEqual([{ statement: often }]);
  });
});

test("mutations keep plans from their first execution on; other transactions plan for their parameters", async () => {
  const fresh = await migratedDatabase();
  const database = openPostgres(fresh.url, { connections: 1 });
  const counts = (text: string) =>
    database.query(
      `SELECT sum(custom_plans)::int AS custom, sum(generic_plans)::int AS generic FROM pg_prepared_statements
       WHERE statement LIKE $1`,
      [text],
    );
  try {
    const [keeps, plans] = ["SELECT 12 / $1::int AS keeps", "SELECT 12 / $1::int AS plans"];
    for (const by of [3, 4]) {
      await database.transaction((transaction) => transaction.query(keeps, [by]), { keepPlans: true });
      await database.transaction((transaction) => transaction.query(plans, [by]));
    }
    expect(await counts(keeps)).toEqual([{ custom: 0, generic: 2 }]);
    expect(await counts(plans)).toEqual([{ custom: 2, generic: 0 }]);

    const shop = await openShop(database);
    for (const identifier of ["ada", "bob"])
      await executing(shop, ["customer/create", { identifier, firstName: "A", lastName: "B" }])(database);
    expect(await counts("%INTO customers%")).toEqual([{ custom: 0, generic: 2 }]);
  } finally {
    await database.close();
    await fresh.drop();
  }
});
