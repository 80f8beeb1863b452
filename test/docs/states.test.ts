import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bulkTaskStatuses } from "../../packages/schema/src/bulk-task.ts";
import { blocks, codes, page, rows } from "./pages.ts";

const file = "docs/states.md";
const text = page(file);
const plain = (sql: string) => sql.replace(/\s+/g, " ");
const schema = plain(
  globSync("packages/service/src/storage/migrations/*.sql")
    .sort()
    .map((path) => readFileSync(path, "utf8"))
    .join("\n"),
);
const table = schema.slice(schema.indexOf("CREATE TABLE bulk_tasks"));

describe(file, () => {
  test("docs/states.md draws every state and no other", () => {
    const drawn = [...(blocks(text, "mermaid")[0] ?? "").matchAll(/(\w+) --> (\w+)/g)].flatMap(
      ([, ...both]) => both,
    );
    expect([...new Set(drawn)].sort()).toEqual([...bulkTaskStatuses].sort());
  });

  const constraints = rows(text).filter((row) => row.length === 2 && !row[1]?.startsWith("unique"));

  test("docs/states.md has the constraint of every rule of the table about states", () => {
    const checks = [...table.slice(0, table.indexOf(");")).matchAll(/ CHECK \((.*?)\)(?=, CHECK| ?$)/g)];
    expect(checks.length).toBeGreaterThanOrEqual(7);
    expect(constraints).toHaveLength(15);
  });

  test.each(constraints)("docs/states.md is right that the database has %s", (_, constraint) => {
    expect(table).toContain(plain(codes(constraint as string)[0] as string));
  });

  test("docs/states.md is right that one task of a tenant runs at a time", () => {
    expect(schema).toContain(
      "CREATE UNIQUE INDEX bulk_tasks_one_running ON bulk_tasks (tenant_id) WHERE status = 'running'",
    );
  });
});
