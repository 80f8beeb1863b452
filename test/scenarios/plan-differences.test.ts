import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { finished, openService, runFile, serviceEngines, type TestService } from "../support/service.ts";
import { type Changes, differencesIn, differencesOf, readValues } from "./plan-values.ts";

const plan = `mutation ($key: String!) {
  created: createMassOperationBulkTask(input: { key: $key, kind: plan, autoStart: true }) {
    ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`;

const logOf = `query ($id: ID!) { operationLogs(filter: { operationId: $id }) { edges { node { operationId status statusCode
  errorName errors unknownUntilApplied command
  changes { entities { entity key action values { pointer before after } } more isComplete } } } } }`;

interface Entry {
  operationId: string;
  status: string;
  statusCode: number;
  errorName: string | null;
  errors: { code: string; message: string }[] | null;
  unknownUntilApplied: string[];
  command: Record<string, unknown>;
  changes: Changes | null;
}

const shape = {
  ...{ intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" },
  components: [{ id: "taste", name: "Taste", type: "singleLine" }],
};

const taste = (text: string) => ({ components: [{ componentId: "taste", singleLine: { text } }] });

const sencha = { resourceIdentifier: "sencha", language: "en" };

const product = { intent: "product/upsert", ...sencha, shapeIdentifier: "tea" };

const variant = (sku: string, price: number, stock = 0) => ({
  ...{ sku, name: `${sku} of tea`, attributes: [{ attribute: "grams", value: String(10 * price) }] },
  priceVariants: [{ identifier: "default", price }],
  stockLocations: [{ identifier: "default", stock }],
});

const defaultVariant = { ...variant("small", 9), isDefault: true };

const prices = {
  ...{ intent: "pricelist/upsert", identifier: "club", name: "Club", modifierType: "PERCENTAGE" },
  priceVariants: [{ identifier: "default", modifier: -10 }],
  targetAudience: { type: "SOME", customerIdentifiers: ["ann"] },
};

const some = (...variants: object[]) => ({ selectedProductVariants: { type: "SOME_SKUS", variants } });

/** Files that are run in sequence, each on the result of the previous ones. */
const steps: Record<string, object[]> = {
  "created customers, products and price lists": [
    shape,
    { ...{ intent: "customer/create", identifier: "ann", firstName: "Ann" }, email: "ann@example.com" },
    {
      ...{ ...product, ...taste("fresh"), name: "Sencha" },
      tree: { parentId: "{{ defaults.rootItemId }}" },
      vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
      variants: [defaultVariant, variant("large", 30, 4)],
    },
    { ...prices, ...some({ sku: "small" }) },
  ],
  "updated customers, products and price lists, one of them twice": [
    {
      ...{ intent: "customer/update", identifier: "ann", lastName: "Lee", email: "lee@example.com" },
      addresses: [{ type: "delivery", street: "Canal Road", city: "Boston" }],
    },
    { intent: "customer/update", identifier: "ann", lastName: "Leigh", meta: [{ key: "a/b", value: "~" }] },
    {
      ...{ ...product, ...taste("grassy"), name: "Sencha, first flush" },
      variants: [{ ...defaultVariant, name: "Small" }, variant("large", 31, 4), variant("tin", 50)],
    },
    { ...prices, startDate: "2030-01-31T12:00:00.000Z", ...some({ sku: "large" }) },
  ],
  "a stock, a price and a selection that were changed alone": [
    {
      ...{ intent: "product/variant/stock/modify", sku: "tin", stockLocationIdentifier: "default" },
      ...{ operation: "overwrite", quantity: 7 },
    },
    {
      ...{ intent: "product/variant/price/modify", sku: "tin", priceVariantIdentifier: "default" },
      price: 51,
    },
    {
      ...{ intent: "pricelist/selectedProductVariants/upsert", identifier: "club" },
      variants: [{ sku: "tin", priceVariants: [{ identifier: "default", modifier: -20 }] }],
    },
  ],
  "a published product": [{ intent: "item/publish", ...sencha }],
  "a product that was published again": [
    { ...product, ...taste("mild"), name: "Sencha" },
    { intent: "item/publish", ...sencha },
  ],
  "an unpublished product": [{ intent: "item/unpublish", ...sencha }],
  "a deleted variant": [{ intent: "product/variant/delete", sku: "tin" }],
  "a deleted product": [{ intent: "item/delete", resourceIdentifier: "sencha" }],
};

const file = (operations: readonly object[]) => ({ version: "1.0.0", operations });

describe.each(serviceEngines)("plans in GraphQL on %s", (engine) => {
  let service: TestService;
  let shop: TenantClient;
  beforeAll(async () => {
    service = await openService(engine, { rateLimit: 0 });
    shop = await service.tenant("shop");
  });
  afterAll(() => service?.close());

  async function planned(operations: readonly object[], client = shop): Promise<Entry[]> {
    const key = await client.upload(new Blob([JSON.stringify(file(operations))]));
    const { created } = await client.graphql<{ created: { id: string } }>(plan, { key });
    expect(await finished(client, created.id)).toMatchObject({ status: "complete" });
    const { operationLogs } = await client.graphql<{ operationLogs: { edges: { node: Entry }[] } }>(logOf, {
      id: created.id,
    });
    return operationLogs.edges.map(({ node }) => node);
  }

  test.each(Object.entries(steps))(
    "the plan of %s shows exactly what GraphQL reads differently after the run",
    async (_name, operations) => {
      const before = await readValues(shop);
      const entries = await planned(operations);
      expect(entries.map(({ status }) => status)).toEqual(operations.map(() => "success"));
      expect(await readValues(shop)).toEqual(before);
      expect(await runFile(shop, file(operations))).toMatchObject({
        progress: { succeeded: operations.length },
      });
      const differences = differencesOf(before, await readValues(shop), entries[0]?.operationId ?? "");
      expect(differences.length).toBeGreaterThan(0);
      const changes = entries.map((entry) => entry.changes);
      const ofShapes = /^shape /;
      expect(differencesIn(changes).filter(([location]) => !ofShapes.test(location))).toEqual(differences);
      for (const each of changes) expect(each).toMatchObject({ more: 0, isComplete: true });
    },
  );

  test("an operation that would fail has no changes and the run's error, as do dependent ones", async () => {
    const operations = [
      { _ref: "nobody", intent: "customer/update", identifier: "nobody", firstName: "N." },
      { intent: "customer/upsert", identifier: "{{ nobody.identifier }}" },
      { intent: "customer/create", identifier: "bob", firstName: "Bob" },
      { intent: "customer/create", identifier: "bob" },
    ];
    const entries = await planned(operations);
    const run = await runFile(shop, file(operations));
    expect(entries.map(({ statusCode, errorName }) => [statusCode, errorName])).toEqual([
      [404, "CustomerNotFoundError"],
      [424, expect.any(String)],
      [200, null],
      [409, expect.any(String)],
    ]);
    expect(entries.map(({ status, errorName, errors }) => ({ status, errorName, errors }))).toEqual(
      run.log.map(({ status, errorName, errors }) => ({ status, errorName, errors })),
    );
    expect(entries.map(({ changes }) => changes?.entities.length ?? null)).toEqual([null, null, 1, null]);
  });
});
