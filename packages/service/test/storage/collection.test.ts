import { expect, test } from "vitest";
import { defineCollection } from "../../src/storage/unit-of-work/collection.ts";

test("a table needs a column other than its key, which is written when a row is touched", () => {
  const define = (columns: { id: "text"; name?: "text" }) =>
    defineCollection<{ id: string }>()({ table: "things", columns, key: ["id"], indexes: {} });
  expect(define({ id: "text", name: "text" }).sql.touch).toContain("SET name = u.name");
  expect(() => define({ id: "text" })).toThrow("things has no column except its key");
});
