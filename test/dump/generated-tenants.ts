import { type Intent, intentNames } from "@lading/schema";
import fc from "fast-check";
import { beginning, settings } from "../support/parity/beginning.ts";
import { definitions } from "../support/parity/contents.ts";
import { acceptedPayloads } from "../support/parity/payloads.ts";

type Operation = Readonly<Record<string, unknown>>;

const of = (intent: Intent, entries: readonly object[]): Operation[] =>
  entries.map((entry) => ({ intent, ...entry }));

/** A contract's SKU must exist when it is created, so generated operations never remove this one. */
const lastingSku = "lasting";

const lasting = (operation: Operation): Operation =>
  String(operation.intent).startsWith("subscription-contract/")
    ? JSON.parse(JSON.stringify(operation).replace(/"sku":"[^"]*"/g, `"sku":"${lastingSku}"`))
    : operation;

const lastingProduct: Operation = {
  ...{ intent: "product/upsert", language: "en", name: "Lasting", shapeIdentifier: "product" },
  variants: [{ sku: lastingSku, name: "Lasting" }],
};

const [en, no] = ["en", "no"];

/** Products whose SKUs move; each has a fixed one, so all others can leave it. */
const movers = ["1", "2", "3", "4"].map((digit) => ({ itemId: digit.repeat(24), own: `own-${digit}` }));
const movingSkus = ["moving-1", "moving-2", "moving-3"];

const moverUpserts = movers.map(
  ({ itemId, own }): Operation => ({
    ...{ intent: "product/upsert", itemId, language: "en", name: own, shapeIdentifier: "product" },
    variants: [{ sku: own, name: own }],
  }),
);

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
  ...moverUpserts,
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

const mover = fc.constantFrom(...movers);
const language = fc.constantFrom(en, en, no);
const publish = (itemId: string, language: string): Operation => ({
  intent: "item/publish",
  itemId,
  language,
});
const taken = (sku: string): Operation => ({ intent: "product/variant/delete", sku });
const given = (sku: string, productId: string, price: number): Operation => ({
  ...{ intent: "product/variant/create", productId, sku, language: "en", name: sku },
  ...{
    priceVariants: [{ identifier: "default", price }],
    stockLocations: [{ identifier: "default", stock: price }],
  },
});

/** A SKU moves to another product, or is made again in its own; what has it is published before and after, or not. */
const moveOfSku = fc
  .record({
    sku: fc.constantFrom(...movingSkus),
    ...{ from: mover, to: mover, language, price: fc.nat(9) },
    published: fc.tuple(fc.boolean(), fc.boolean()),
  })
  .map(({ sku, from, to, language, price, published: [before, after] }) => [
    ...(before ? [publish(from.itemId, language)] : []),
    taken(sku),
    given(sku, to.itemId, price),
    ...(after ? [publish(to.itemId, language)] : []),
  ]);

/** Products that are published with a SKU each, which they swap, and may be published again. */
const swapOfSkus = fc
  .record({
    skus: fc.shuffledSubarray(movingSkus, { minLength: 2, maxLength: 2 }),
    language,
    again: fc.boolean(),
  })
  .chain(({ skus: [one = "", other = ""], language, again }) =>
    fc.shuffledSubarray(movers, { minLength: 2, maxLength: 2 }).map(([a, b]) => {
      const [first, second] = [a!.itemId, b!.itemId];
      return [
        ...[taken(one), taken(other), given(one, first, 1), given(other, second, 2)],
        ...[publish(first, language), publish(second, language), taken(one), taken(other)],
        ...[given(other, first, 3), given(one, second, 4), ...(again ? [publish(first, language)] : [])],
      ];
    }),
  );

/** The variants of a product as a whole, with SKUs of its own or of others; it may only have those that move. */
const replacedVariants = fc
  .record({
    mover,
    language,
    skus: fc.shuffledSubarray(movingSkus),
    keepsOwn: fc.boolean(),
    published: fc.boolean(),
  })
  .map(({ mover: { itemId, own }, language, skus, keepsOwn, published }) => [
    {
      ...{ intent: "product/update", itemId, language, name: own },
      variants: [...skus, ...(keepsOwn || skus.length === 0 ? [own] : [])].map((sku) => ({ sku, name: sku })),
    },
    ...(published ? [publish(itemId, language)] : []),
  ]);

/** A name that another item in the folder has, or had; with an alias of its path. */
const moveOfName = fc
  .record({
    mover,
    language,
    name: fc.constantFrom("own-1", "own-2", "Other"),
    published: fc.boolean(),
    alias: fc.boolean(),
  })
  .map(({ mover: { itemId }, language, name, published, alias }) => [
    { intent: "product/update", itemId, language, name },
    ...(published ? [publish(itemId, language)] : []),
    ...(alias
      ? [{ intent: "item/paths/addAliases", itemId, language, paths: [`/${name.toLowerCase()}`] }]
      : []),
  ]);

const change: fc.Arbitrary<Operation[]> = fc.oneof(
  { weight: 5, arbitrary: shapeUpdate.map((update) => [update]) },
  { weight: 20, arbitrary: moveOfSku },
  { weight: 10, arbitrary: swapOfSkus },
  { weight: 10, arbitrary: replacedVariants },
  { weight: 10, arbitrary: moveOfName },
  ...intentNames.map((intent) => ({
    weight: weightOf(intent),
    arbitrary: acceptedPayloads(intent).map((payload) => [lasting({ intent, ...payload })]),
  })),
);

/** Operations on such a tenant, of all intents: some fail. */
export const changes = (count: number): fc.Arbitrary<Operation[]> =>
  fc.array(change, { minLength: count, maxLength: count }).map((all) => all.flat());
