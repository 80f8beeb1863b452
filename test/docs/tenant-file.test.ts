import { dumpKinds } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { codes, page, rows, section } from "./pages.ts";

test("docs/tenant-file.md has every kind of a dump, in their order", () => {
  const table = rows(section(page("docs/tenant-file.md"), "The file"));
  expect(table.flatMap(([kind = ""]) => codes(kind))).toEqual(dumpKinds);
});
