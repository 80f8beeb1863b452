import { type Intent, intentNames } from "@lading/schema";
import fc from "fast-check";
import { beginning, settings } from "../support/parity/beginning.ts";
import { definitions } from "../support/parity/contents.ts";
import { acceptedPayloads } from "../support/parity/payloads.ts";

type Operation = Readonly<Record<string, unknown>>;

const of = (intent: Intent, entries: readonly object[]): Operation[] =>
  entries.map((entry) => ({ intent, ...entry }));

/** The SKU of a contract must be there when the contract is made: nothing generated removes this one. */
const lastingSku = "lasting";

const lasting = (operation: Operation): Operation =>
  String(operation.intent).startsWith("subscription-contract/")
    ? JSON.parse(JSON.stringify(operation).replace(/"sku":"[^"]*"/g, `"sku":"${lastingSku}"`))
    : operation;

const lastingProduct: Operation = {
  ...{ intent: "product/upsert", language: "en", name: "Lasting", shapeIdentifier: "product" },
  variants: [{ sku: lastingSku, name: "Lasting" }],
};

/** The settings, content model, items and other rows that each generated tenant has at first. */
export const foundation: readonly Operation[] = [
  ...of("language/upsert", settings.languages),
  ...of("priceVariant/upsert", settings.priceVariants),
  ...of("stockLocation/upsert", settings.stockLocations),
  ...of("market/upsert", settings.markets),
  ...of("subscriptionPlan/upsert", settings.subscriptionPlans),
  ...of("orderPipeline/upsert", settings.pipelines),
  ...beginning.flatMap((operation): Operation[] =>
    "intent" in operation && operation.intent === "subscription-contract/upsert"
      ? [lastingProduct, lasting(operation as Operation)]
      : [operation as Operation],
  ),
];

/** The weight by which an intent is chosen: items most, deletions least. */
function weightOf(intent: Intent): number {
  if (intent.endsWith("/delete")) return 1;
  return /^(folder|document|product|item|topic)\//.test(intent) ? 6 : 3;
}

/** A shape that loses and gets components: what its items have of them is orphaned, or content again. */
const shapeUpdate = fc
  .record({
    type: fc.constantFrom("folder", "document", "product"),
    components: fc.subarray([...definitions]),
  })
  .map(({ type, components }) => ({
    ...{ intent: "shape/update", identifier: type, name: type, components },
    ...(type === "product" && { variantComponents: definitions }),
  }));

const change: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: shapeUpdate },
  ...intentNames.map((intent) => ({
    weight: weightOf(intent),
    arbitrary: acceptedPayloads(intent).map((payload) => lasting({ intent, ...payload })),
  })),
);

/** Operations on such a tenant, of all intents: some fail. */
export const changes = (count: number): fc.Arbitrary<Operation[]> =>
  fc.array(change, { minLength: count, maxLength: count });
