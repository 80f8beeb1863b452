import { intentNames } from "@lading/schema";
import { describe, expect, test } from "vitest";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { errorsOf } from "../../scripts/docs/intent-errors.ts";
import { page, section } from "./pages.ts";

const file = "docs/intents.md";

describe(file, () => {
  test("docs/intents.md follows from the code: after a change, run `npm run generate`", () => {
    expect(page(file)).toBe(withTables(file, page(file)));
  });

  test.each(intentNames)(
    "docs/intents.md tells the fields, the result, the errors and an example of %s",
    (intent) => {
      const text = section(page(file), intent);
      for (const part of ["- Looks up: ", "- Mutation: `", "- Result: ", "- Errors: `", "| Field | Type |"])
        expect(text).toContain(part);
      expect(text).toContain(`"intent": "${intent}"`);
    },
  );
});

test("the errors of an intent are those that its command can reach, and no others", () => {
  expect(errorsOf("product/variant/delete")).toEqual([
    "ProductVariantNotFoundError",
    "CannotDeleteDefaultVariantError",
  ]);
  expect(errorsOf("order/update")).toContain("OrderNotFoundError");
  expect(errorsOf("order/register")).not.toContain("OrderNotFoundError");
});
