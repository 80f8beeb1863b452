import { expect, test } from "vitest";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { page } from "./pages.ts";

const file = "docs/scale.md";

test("docs/scale.md has the figures of bench/results.json: after a change, run `npm run generate`", () => {
  expect(page(file)).toBe(withTables(file, page(file)));
});
