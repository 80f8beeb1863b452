import { describe, expect, test } from "vitest";
import { brokenMigrations, brokenSqlRules } from "../../scripts/lint/sql-rules.ts";

const storage = "packages/service/src/storage";
const migrations = [
  {
    path: `${storage}/migrations/000100.sql`,
    text: `CREATE TABLE items (
      tenant_id text NOT NULL,
      id text NOT NULL
    );
    CREATE TABLE sign_ins (
      hash text NOT NULL
    );`,
  },
];

const broken = (text: string, path = `${storage}/tree.ts`) => brokenSqlRules([{ path, text }], migrations);

describe("a statement is reported that", () => {
  test.each([
    ["updates rows of any tenant", '"UPDATE items SET name = $1"', "name the tenant_id"],
    ["deletes rows of any tenant", '"DELETE FROM items WHERE id = $1"', "name the tenant_id"],
    ["inserts rows without a tenant", '"INSERT INTO items (id) VALUES ($1)"', "name the tenant_id"],
    [
      "writes a table that is interpolated",
      "`DELETE FROM $" + "{table} WHERE id = $1`",
      "name the tenant_id",
    ],
    [
      "writes without a tenant in a CTE",
      '"WITH a AS (UPDATE items SET id = $1) SELECT 1"',
      "name the tenant_id",
    ],
    ["writes without a tenant after another", '"SELECT tenant_id FROM items; DELETE FROM items"', "name the"],
    ["finds rows by their ctid alone", '"SELECT id FROM items WHERE ctid = $1"', "a ctid is of one server"],
    ["reads the clock", '"SELECT clock_timestamp()"', "use now()"],
    [
      "reads the clock in a condition while it writes",
      '"UPDATE items SET at = CASE WHEN tenant_id = $1 THEN now() END"',
      "compare with it outside",
    ],
    [
      "reads the clock in a default while it writes",
      '"DELETE FROM items WHERE tenant_id = $1 AND coalesce(at < now(), true)"',
      "compare with it outside",
    ],
    ["draws a random number", '"SELECT random()"', "use now()"],
    [
      "draws a place while it writes",
      '"UPDATE items SET tenant_id = $1, n = nextval($2)"',
      "SELECT of its own",
    ],
    ["notifies for each row", '"SELECT pg_notify($1, id) FROM items"', "SELECT of its own"],
    ["locks in a condition", '"AND pg_advisory_xact_lock(1) IS NOT NULL"', "SELECT of its own"],
    ["ends a task by itself", '"UPDATE bulk_tasks SET ended_at = now()"', "tasks end in end.ts"],
  ])("%s", (_what, sql, rule) => {
    expect(broken(`const a = 1;\nconst sql = ${sql};`)).toEqual([
      expect.stringMatching(new RegExp(`^${storage}/tree.ts:2: .*${rule.replace(/[()]/g, "\\$&")}`)),
    ]);
  });

  test("misses the tenant in another file's constant of a name it does not import", () => {
    const text = "const sql = `DELETE FROM items WHERE $" + "{found}`;";
    const other = { path: `${storage}/other.ts`, text: 'export const found = "tenant_id = $1";' };
    expect(brokenSqlRules([{ path: `${storage}/tree.ts`, text }, other], migrations)).toHaveLength(1);
  });
});

describe("a statement may", () => {
  test.each([
    ["write a table without tenants", '"UPDATE sign_ins SET hash = $1"'],
    ["lock rows, or update those that conflict", '"SELECT id FROM items FOR UPDATE OF items"'],
    ["find rows by tenant and ctid", '"DELETE FROM items WHERE tenant_id = $1 AND ctid = $2"'],
    ["compare ctids of two rows", '"WHERE u.ctid = f.tid"'],
    [
      "read the clock in a condition before it writes",
      "`WITH a AS (SELECT CASE WHEN at > now() THEN 1 END FROM items) UPDATE items SET n = 1 WHERE tenant_id = $1`",
    ],
    ["tell the time of the statement", '"SELECT now(), statement_timestamp()"'],
    ["compare with the clock while it reads", '"SELECT coalesce(at < now(), true) FROM items"'],
    ["write the time", '"UPDATE items SET at = now() WHERE tenant_id = $1 AND (at IS NULL OR at < now())"'],
    ["draw places, notify or lock alone", `"SELECT nextval('places') FROM generate_series(1, $1)"`],
    [
      "have a column whose name begins like another",
      '"SELECT max(ended_at) FROM bulk_tasks WHERE ended_at > $1"',
    ],
  ])("%s", (_what, sql) => {
    expect(broken(`const sql = ${sql};`)).toEqual([]);
  });

  test("name the tenant in a constant of its file, or one that it imports", () => {
    const texts = ['const found = "tenant_id = $1";', 'import { found } from "./other.ts";'].map(
      (line) => `${line}\nconst sql = \`DELETE FROM items WHERE $\{found}\`;`,
    );
    const other = { path: `${storage}/other.ts`, text: 'export const found = "tenant_id = $1";' };
    for (const text of texts)
      expect(brokenSqlRules([{ path: `${storage}/tree.ts`, text }, other], migrations)).toEqual([]);
  });

  test("end a task where what follows is written", () => {
    const sql = 'const end = "UPDATE bulk_tasks SET ended_at = now()";';
    expect(broken(sql, `${storage}/bulk-tasks/end.ts`)).toEqual([]);
  });

  test("compare ctids of one engine", () => {
    expect(broken('const page = "ctid BETWEEN $1 AND $2";', `${storage}/engines/pglite-copies.ts`)).toEqual(
      [],
    );
  });
});

test("a trigger in a migration after 1.0 is reported", () => {
  const text = "CREATE OR REPLACE CONSTRAINT TRIGGER a AFTER UPDATE ON items EXECUTE FUNCTION b();";
  const inMigration = (name: string, sql = text) => ({
    path: `${storage}/migrations/${name}.sql`,
    text: sql,
  });
  expect(
    brokenMigrations([inMigration("000900"), inMigration("001000", "DROP TRIGGER a ON items;")]),
  ).toEqual([]);
  expect(brokenMigrations([inMigration("001100")])).toEqual([expect.stringContaining("001100.sql")]);
});

test.each(["ADD COLUMN n int, ADD CONSTRAINT a", "ADD CONSTRAINT a CHECK (n > 0), DROP COLUMN m"])(
  "a constraint that a migration adds together with other changes is reported (%s)",
  (changes) => {
    const text = `ALTER TABLE items ${changes};\nALTER TABLE items ADD CONSTRAINT b CHECK (n > 0);`;
    const path = `${storage}/migrations/001100.sql`;
    expect(brokenMigrations([{ path, text }])).toEqual([expect.stringContaining("of its own")]);
  },
);

test("a constraint that a migration adds alone may have a list of values", () => {
  const text = "ALTER TABLE items ADD CONSTRAINT a CHECK (n IN (1, 2));\nALTER TABLE items DROP COLUMN m;";
  expect(brokenMigrations([{ path: `${storage}/migrations/001100.sql`, text }])).toEqual([]);
});
