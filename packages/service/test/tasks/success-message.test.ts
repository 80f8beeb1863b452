import { expect, test } from "vitest";
import { factsOf, successMessage } from "../../src/tasks/log/success-message.ts";

const id = "6561f0c2a1b2c3d4e5f60718";

test("an output that is missing, or an intent that is no longer known, still makes a message", () => {
  expect(successMessage({ intent: "product/upsert", action: "created", output: null })).toBe(
    "created product",
  );
  expect(successMessage({ intent: "gone/away", action: "updated", output: { id: [] } })).toBe(
    "updated gone/away",
  );
  expect(successMessage({ intent: "topic/update", action: null, output: "x" })).toBe("unchanged: topic");
});

test.each([
  ["product/create", "created", { id, language: "en", versionLabel: "draft" }, `created product ${id} (en)`],
  ["folder/upsert", "created", { id: { value: id }, language: "en" }, `created folder ${id} (en)`],
  ["document/upsert", "updated", { id: { id, language: "no" } }, `updated document ${id} (no)`],
  ["shape/upsert", "unchanged", { id: { identifier: "s" }, identifier: "s" }, 'unchanged: shape "s"'],
  ["product/variant/delete", "deleted", { sku: "S" }, 'deleted product variant "S"'],
  ["product/variant/price/modify", "updated", { id, sku: "S" }, 'updated price of product variant "S"'],
  ["image/register", "created", { id: "k", key: "k", language: "en" }, 'created image "k" (en)'],
  ["item/paths/setAliases", "updated", { id }, `updated aliases of item ${id}`],
  ["item/unpublish", "unpublished", { id, language: "en" }, `unpublished item ${id} (en)`],
])("the message of %s that has %s names the affected entity", (intent, action, output, message) => {
  expect(successMessage({ intent, action, output })).toBe(message);
});

test.each([
  ["product/create", { id, language: "en" }, { name: "Teapot" }, `product "Teapot" (${id}, en)`],
  ["topic/create", { id }, { name: "Tea", language: "en" }, `topic "Tea" (${id})`],
  ["product/upsert", { id }, { resourceIdentifier: "teapot" }, `product "teapot" (${id})`],
  ["product/upsert", { id }, { name: "", resourceIdentifier: null }, `product ${id}`],
  ["shape/upsert", { identifier: "s" }, { name: "Shape" }, 'shape "s"'],
  [
    "product/variant/stock/modify",
    { id, sku: "S" },
    { sku: "S", name: "Stock" },
    'stock of product variant "S"',
  ],
])("the message of %s that has %s names it as the operation does", (intent, output, command, subject) => {
  expect(successMessage({ intent, action: "created", output, command })).toBe(`created ${subject}`);
});

test("the message says what a full history has dropped, the first of many by their paths", () => {
  const done = { intent: "item/publish", action: "published" };
  const output = { id, language: "en", historyDropped: { count: 1, paths: ["/old"] } };
  expect(successMessage({ ...done, output })).toBe(
    `published item ${id} (en); its full history dropped /old`,
  );
  const more = { ...output, historyDropped: { count: 7, paths: ["/a", "/b"] } };
  expect(successMessage({ ...done, output: more })).toContain("; full histories dropped /a, /b and 5 more");
});

test("the message names what lists took out, each with the variant that had it", () => {
  const removed = {
    variants: [{ sku: "b" }],
    selections: [{ sku: "b", priceList: "spring" }],
    stockLocations: [{ sku: "b", identifier: "default", stock: 5 }],
    priceVariants: [{ sku: "a", identifier: "b2b", price: 8 }],
    subscriptionPlans: [{ sku: "a", identifier: "monthly" }],
    more: 7,
  };
  const done = {
    intent: "product/update",
    action: "updated",
    output: { id: { id, language: "en" }, removed },
  };
  expect(successMessage(done)).toBe(
    `updated product ${id} (en); removed variant "b", "b" from price list "spring", stock of "b" at "default" (5), ` +
      'price of "a" in "b2b" (8), plan "monthly" of "a", 7 more',
  );
});

test("the message has the facts of the output after the action, each once and in their order", () => {
  const facts = ["removed", "orphaned"].map(
    (name) => (output: Record<string, unknown>) => (name in output ? `${name} ${output[name]}` : undefined),
  );
  const done = { intent: "shape/update", action: "updated", output: { identifier: "s", orphaned: 2 } };
  expect(successMessage(done, facts)).toBe('updated shape "s"; orphaned 2');
  expect(successMessage({ ...done, output: { ...done.output, removed: 1 } }, facts)).toBe(
    'updated shape "s"; removed 1; orphaned 2',
  );
  expect(factsOf(done, facts)).toEqual(["orphaned 2"]);
});
