import { expect, test } from "vitest";
import { misplacedSql } from "../../scripts/lint/import-rules.ts";

const path = "packages/service/src/domain/tree.ts";

test.each([
  ["a query", 'queries.query("SELECT id FROM items WHERE tenant_id = $1", [id]);'],
  ["a query in a template that begins on its next line", "const sql = `\n  SELECT id\n  FROM items`;"],
  ["a recursive query", "const sql = `WITH RECURSIVE above AS (SELECT 1) SELECT 2`;"],
  ["an insertion", "transaction.execute(`INSERT INTO items (id) VALUES ($1)`);"],
  ["an update", "const sql = `UPDATE items SET name = $1`;"],
  ["a deletion", "database.execute('DELETE FROM items');"],
  ["a change of the session", 'transaction.query("SET CONSTRAINTS ALL IMMEDIATE");'],
  ["a condition for a unit of work", 'await unit.select(items, "t.parent_id = $2", [id]);'],
  ["a question to a unit of work", "await unit.ask<{ count: number }>(sql, [id]);"],
])("%s outside of storage is reported with the file", (_what, text) => {
  expect(misplacedSql([{ path, text }])).toEqual([expect.stringContaining(`${path} has SQL: `)]);
});

test.each([
  ["SQL in storage", "packages/service/src/storage/queries/tree.ts", 'const sql = "SELECT 1";'],
  [
    "an English sentence in a message",
    path,
    'reject("ConflictError", "Select another folder, or delete this");',
  ],
  ["a name that contains a verb of SQL", path, 'const select = "UPDATE"; const lock = "NO KEY UPDATE";'],
])("%s is allowed", (_what, allowed, text) => {
  expect(misplacedSql([{ path: allowed, text }])).toEqual([]);
});
