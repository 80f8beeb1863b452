import { beforeAll, describe, expect, test } from "vitest";
import { monthly, subscriptionPlans } from "../commands/subscription-contract/support.ts";
import { useApi } from "../http/support.ts";
import { storeSettings } from "../support/settings.ts";

const failure = "... on BasicError { errorName message }";
const contractPlan = `{identifier: "coffee", periodId: "${monthly}", periodName: "Monthly"}`;
const phase = (
  price: number,
) => `{currency: "EUR", price: ${price}, period: 1, unit: month, meteredVariables: [
  {identifier: "cups", tierType: graduated, tiers: [{currency: "EUR", price: 0.1, threshold: 0}]}]}`;

describe("contracts and price lists", () => {
  const ids: string[] = [];

  const mutate = (field: string) => api.field(`mutation { it: ${field} }`);
  const create = async (customer: string, sku: string, more: string) => {
    const { id, message } = await mutate(
      `createSubscriptionContract(input: {customerIdentifier: "${customer}", subscriptionPlan: ${contractPlan},
         item: {sku: "${sku}"}, recurring: ${phase(10)}, ${more}}) {
           ... on SubscriptionContractAggregate { id } ${failure} }`,
    );
    expect(message).toBeUndefined();
    return id as string;
  };

  const api = useApi();
  beforeAll(async () => {
    await storeSettings({ database: api.database, tenant: api.shop.tenant }, { subscriptionPlans });
    await mutate(
      `createShape(input: {identifier: "goods", name: "Goods", type: product}) { ... on Shape { identifier } ${failure} }`,
    );
    await mutate(`upsertProduct(language: "en", input: {shapeIdentifier: "goods", name: "Goods", variants: [
      {sku: "beans", name: "Beans"}, {sku: "mug", name: "Mug"}]}) { ... on Product { id } ${failure} }`);
    for (const identifier of ["ada", "eve"])
      await mutate(
        `createCustomer(input: {identifier: "${identifier}", firstName: "First"}) { ... on Customer { identifier } ${failure} }`,
      );
    const named = `resourceIdentifier: "erp-1", signedAt: "2026-01-01"`;
    ids.push(
      await create("ada", "beans", `${named}, initial: ${phase(0)}, status: {activateAt: "2999-01-01"}`),
      await create("ada", "mug", `status: {activeUntil: "2999-01-01", renewAt: "2998-12-01"}`),
      await create("eve", "beans", `status: {activeUntil: "2999-01-01"}`),
      await create("eve", "beans", `status: {activeUntil: "2020-01-01"}`),
      await create("eve", "mug", "status: {}"),
    );
    for (const identifier of ["spring", "summer"])
      await mutate(`createPriceList(input: {identifier: "${identifier}", name: "A list", modifierType: RELATIVE,
        priceVariants: [{identifier: "default", modifier: -5}], targetAudience: {type: SOME, customerIdentifiers: ["ada"]},
        selectedProductVariants: {type: SOME_SKUS, variants: [{sku: "mug"}, {sku: "beans",
          priceVariants: [{identifier: "default", modifier: -7, decimalPlaces: 2}]}]}}) {
          ... on PriceList { identifier } ${failure} }`);
  });

  const contract = (given: string, selection = "id") =>
    api.field(
      `{ subscriptionContract(${given}) { ... on SubscriptionContractAggregate { ${selection} } ... on BasicError { errorName } } }`,
    );

  const contracts = async (given: string) => {
    const { subscriptionContracts } = await api.data(
      `{ subscriptionContracts(${given}) { ... on SubscriptionContractConnection { totalCount
           pageInfo { endCursor hasNextPage } edges { node { id status { state } } } } ${failure} } }`,
    );
    const { edges, ...rest } = subscriptionContracts;
    const nodes: { id: string; status: { state: string } }[] = edges.map(
      ({ node }: { node: object }) => node,
    );
    const states = [...new Set(nodes.map(({ status }) => status.state))];
    return { ...rest, numbers: nodes.map(({ id }) => ids.indexOf(id)), states };
  };

  test("wrong and unknown contracts and price lists are errors by name", async () => {
    for (const [given, errorName] of [
      ['id: ""', "ValidationError"],
      [`id: "${ids[0]}", resourceIdentifier: "erp-1"`, "ValidationError"],
      ['id: "none"', "SubscriptionContractNotFoundError"],
      ['resourceIdentifier: "none"', "SubscriptionContractNotFoundError"],
    ] as const)
      expect(await contract(given), given).toEqual({ errorName });
    const { priceList } = await api.data(
      `{ priceList(identifier: "none") { ... on PriceList { name } ... on PriceListNotFoundError { message } } }`,
    );
    expect(priceList).toEqual({ message: 'No price list has the identifier "none"' });
  });

  test("a contract is read by id and by resource identifier, with its customer, its state and its phase", async () => {
    const metered =
      "meteredVariables { id identifier name unit tierType tiers { currency threshold price } }";
    const selection = `id resourceIdentifier customerIdentifier customer { firstName } signedAt
      subscriptionPlan { identifier periodId periodName } item { sku quantity } payment { provider }
      initial { price } recurring { period unit price currency ${metered} productVariants { sku } }
      status { activateAt activeUntil renewAt state phase { price } } meta { key } addresses { type }`;
    const found = await contract('resourceIdentifier: "erp-1"', selection);
    expect(found).toMatchObject({
      ...{ id: ids[0], customerIdentifier: "ada", customer: { firstName: "First" } },
      ...{ initial: { price: 0 }, signedAt: "2026-01-01T00:00:00.000Z", item: { sku: "beans" } },
      status: {
        ...{ activateAt: "2999-01-01T00:00:00.000Z", activeUntil: null, renewAt: null },
        ...{ state: "pendingActivation", phase: { price: 0 } },
      },
      recurring: {
        ...{ period: 1, unit: "month", price: 10, currency: "EUR", productVariants: null },
        meteredVariables: [
          {
            ...{ ...subscriptionPlans[0]?.meteredVariables[0], tierType: "graduated" },
            tiers: [{ currency: "EUR", threshold: 0, price: 0.1 }],
          },
        ],
      },
    });
    expect(await contract(`id: "${ids[0]}"`, selection)).toEqual(found);
    const { status } = await contract(`id: "${ids[1]}"`, "status { phase { price } }");
    expect(status).toEqual({ phase: { price: 10 } });
  });

  test("contracts are listed newest first, by customer, state, SKU and plan", async () => {
    const numbers = async (filter: string) => (await contracts(`filter: {${filter}}`)).numbers;
    expect(await numbers("")).toEqual([4, 3, 2, 1, 0]);
    expect(await numbers('customerIdentifier: "ada"')).toEqual([1, 0]);
    expect(await numbers('sku: "beans", customerIdentifier: "eve"')).toEqual([3, 2]);
    expect(await numbers('subscriptionPlanIdentifier: "coffee"')).toHaveLength(5);
    expect(await numbers('subscriptionPlanIdentifier: "tea"')).toEqual([]);
    expect(await numbers("state: pendingActivation")).toEqual([0]);
    expect(await numbers('state: "active"')).toEqual([4, 1]);
    expect(await numbers("state: pendingDeactivation")).toEqual([2]);
    expect(await numbers("state: cancelled")).toEqual([3]);
    expect(await numbers("state: paused")).toEqual([]);
  });

  test.each(["pendingActivation", "active", "pendingDeactivation", "cancelled"])(
    "contracts filtered by the state %s are shown with it",
    async (state) => {
      expect((await contracts(`filter: {state: ${state}}`)).states).toEqual([state]);
    },
  );

  test("pages of contracts join into the whole list", async () => {
    const first = await contracts("first: 3");
    expect(first).toMatchObject({ totalCount: 5, numbers: [4, 3, 2], pageInfo: { hasNextPage: true } });
    const rest = await contracts(`first: 3, after: "${first.pageInfo.endCursor}"`);
    expect(rest).toMatchObject({ numbers: [1, 0], pageInfo: { hasNextPage: false } });
  });

  test("price lists are listed with what they select, in the order of identifiers and SKUs", async () => {
    const { priceLists } = await api.data(
      `{ priceLists { ... on PriceListConnection { totalCount edges { node { identifier name modifierType
           priceVariants { identifier modifier decimalPlaces } startDate endDate
           selectedProductVariants { type variants { sku priceVariants { modifier decimalPlaces } } }
           targetAudience { type customerGroupIdentifiers customerIdentifiers marketIdentifiers } createdAt updatedAt } } } ${failure} } }`,
    );
    const variants = [
      { sku: "beans", priceVariants: [{ modifier: -7, decimalPlaces: 2 }] },
      { sku: "mug", priceVariants: [] },
    ];
    expect(priceLists.totalCount).toBe(2);
    expect(priceLists.edges.map(({ node }: { node: object }) => node)).toMatchObject(
      ["spring", "summer"].map((identifier) => ({
        ...{ identifier, name: "A list", modifierType: "RELATIVE", startDate: null, endDate: null },
        priceVariants: [{ identifier: "default", modifier: -5, decimalPlaces: null }],
        selectedProductVariants: { type: "SOME_SKUS", variants },
        targetAudience: {
          ...{ type: "SOME", customerGroupIdentifiers: [], marketIdentifiers: [] },
          customerIdentifiers: ["ada"],
        },
      })),
    );
  });
});
