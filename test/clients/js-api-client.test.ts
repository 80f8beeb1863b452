import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ClientInterface,
  createBinaryFileManager,
  createClient,
  createCustomerGroupManager,
  createCustomerManager,
  createOrderFetcher,
  createOrderManager,
  createSubscriptionContractFetcher,
  createSubscriptionContractManager,
  type JSApiClientCallError,
} from "@crystallize/js-api-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openService, serviceEngines, type TestService } from "../support/service.ts";
import { type TlsAddress, terminateTls } from "./tls.ts";

/** The public JavaScript client from npm, with our origin, and a service that accepts its header names. */

let service: TestService;
let tls: TlsAddress;
let client: ClientInterface;
let access: { accessTokenId: string; accessTokenSecret: string };
let rootItemId: string;

beforeAll(async () => {
  service = await openService(serviceEngines[0], { headerWords: ["Crystallize"] });
  tls = await terminateTls(service.url);
  const operator = await fetch(`${service.url}/operator`, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", connection: "close" },
      authorization: `Bearer ${service.operatorToken}`,
    },
    body: JSON.stringify({
      query: `mutation { createTenant(input: {identifier: "acme"}) {
        ... on CreatedTenant { accessTokenId accessTokenSecret tenant { rootItemId } } ... on BasicError { message } } }`,
    }),
  });
  const { data } = (await operator.json()) as { data: { createTenant: typeof access & { tenant: object } } };
  access = data.createTenant;
  ({ rootItemId } = data.createTenant.tenant as { rootItemId: string });
  client = clientWith(access);
});
afterAll(async () => {
  client.close();
  await tls.close();
  await service.close();
});

const clientWith = (token: Partial<typeof access>) =>
  createClient({ tenantIdentifier: "acme", origin: tls.origin, ...token });

const errorOf = (call: Promise<unknown>): Promise<JSApiClientCallError> =>
  call.then(
    () => expect.fail("the call succeeded"),
    (error) => error,
  );

describe("the client's errors", () => {
  test("js-api-client errors have the status and message of a refused token", async () => {
    const wrong = clientWith({ ...access, accessTokenSecret: "wrong" });
    const error = await errorOf(wrong.nextPimApi("{ tenant { id } }"));
    expect(error).toMatchObject({
      code: 401,
      message: expect.stringContaining("Unknown access token"),
    });
    expect(error.errors).toHaveLength(1);
  });

  test("js-api-client errors report a wrong query, and one without a fragment", async () => {
    expect(await errorOf(client.nextPimApi("{ tenant { "))).toMatchObject({ code: 400 });
    const oneSided = await errorOf(client.nextPimApi('{ order(id: "x") { ... on Order { id } } }'));
    expect(oneSided).toMatchObject({ code: 400, message: expect.stringContaining("Select both") });
  });

  test("js-api-client errors name the failure in a result union", async () => {
    const error = await errorOf(createOrderFetcher(client).byId("0".repeat(24)));
    expect(error).toMatchObject({ code: 400, message: expect.stringMatching(/^\[OrderNotFoundError\] /) });
  });

  test("successful responses to the js-api-client have no `errors`, not even an empty list", async () => {
    expect(await client.nextPimApi("{ tenant { identifier } }")).toEqual({ tenant: { identifier: "acme" } });
  });
});

test("a mass operation file is uploaded, run and followed to its end, and its log is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-client-"));
  const path = join(folder, "operations.json");
  const operations = [
    { intent: "shape/create", identifier: "shelf", type: "folder", name: "Shelf" },
    {
      ...{
        _ref: "plants",
        intent: "folder/create",
        language: "en",
        shapeIdentifier: "shelf",
        name: "Plants",
      },
      tree: { parentId: rootItemId },
    },
    { intent: "item/publish", itemId: "{{ plants.id }}", language: "en" },
    { intent: "shape/create", identifier: "shelf", type: "folder", name: "Shelf again" },
  ];
  await writeFile(path, JSON.stringify({ version: "0.0.1", operations }));
  const key = await createBinaryFileManager(client).uploadMassOperationFile(path);
  await rm(folder, { recursive: true });

  const { createMassOperationBulkTask: created } = await client.nextPimApi<
    Record<string, { id: string; status: string }>
  >(
    `mutation CREATE($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: false}) {
       ... on BulkTaskMassOperation { id status } ... on BasicError { error: message } } }`,
    { key },
  );
  expect(created?.status).toBe("pending");
  const id = created?.id;
  await client.nextPimApi(
    `mutation START($id: ID!) { startMassOperationBulkTask(id: $id) {
       ... on BulkTaskMassOperation { id status } ... on BasicError { error: message } } }`,
    { id },
  );
  const statusOf = async () => {
    const { bulkTask } = await client.nextPimApi<{ bulkTask: { status: string } }>(
      `query TASK($id: ID!) { bulkTask(id: $id) {
         ... on BulkTaskMassOperation { id type status key } ... on BasicError { error: message } } }`,
      { id },
    );
    return bulkTask.status;
  };
  await expect.poll(statusOf, { timeout: 45_000 }).toBe("complete");

  const { operationLogs } = await client.nextPimApi<{
    operationLogs: { edges: { node: { status: string; statusCode: number } }[] };
  }>(
    `query LOGS($after: String, $first: Int, $operationId: ID!) {
       operationLogs(after: $after, first: $first, filter: {operationId: $operationId}) {
         ... on OperationLogConnection { pageInfo { endCursor hasNextPage }
           edges { node { id input output message status statusCode } } } } }`,
    { after: "", first: 100, operationId: id },
  );
  const answered = operationLogs.edges.map(({ node }) => `${node.status} ${node.statusCode}`);
  expect(answered).toEqual(["success 200", "success 200", "success 200", "failure 409"]);
});

test("customers and their groups are created and changed by their managers", async () => {
  const groups = createCustomerGroupManager(client);
  expect(await groups.create({ identifier: "friends", name: "Friends" })).toEqual({ identifier: "friends" });
  expect(await groups.update({ identifier: "friends", name: "Good friends" })).toEqual({
    identifier: "friends",
  });

  const customers = createCustomerManager(client);
  const created = await customers.create({
    ...{ identifier: "ann", type: "individual", firstName: "Ann", email: "ann@shop.example" },
    ...{ birthDate: "1980-01-02T00:00:00.000Z", meta: [{ key: "size", value: "M" }] },
    addresses: [{ type: "billing", city: "Oslo" }],
  });
  expect(created).toEqual({ identifier: "ann" });
  await customers.update({ identifier: "ann", lastName: "Berg" });
  await customers.setMetaKey("ann", "size", "L");
  await customers.setExternalReference("ann", [{ key: "crm", value: "17" }]);
  const { customer } = await client.nextPimApi<{ customer: object }>(
    `{ customer(identifier: "ann") { ... on Customer { firstName lastName meta { key value }
       externalReferences { key value } } ... on BasicError { errorName message } } }`,
  );
  expect(customer).toEqual({
    ...{ firstName: "Ann", lastName: "Berg", meta: [{ key: "size", value: "L" }] },
    externalReferences: [{ key: "crm", value: "17" }],
  });
  expect(await errorOf(customers.update({ identifier: "nobody", lastName: "X" }))).toMatchObject({
    message: expect.stringMatching(/^\[CustomerNotFoundError\]/),
  });
});

test("orders are registered, changed and read by their manager and fetcher", async () => {
  const orders = createOrderManager(client);
  const price = { gross: 125, net: 100, currency: "EUR", tax: { name: "VAT", percent: 25 } };
  const { id } = await orders.register({
    customer: { identifier: "bob", firstName: "Bob", type: "individual" },
    cart: [{ sku: "mug", name: "Mug", quantity: 2, price }],
    total: price,
  });
  await orders.update({ id, additionalInformation: "Ring twice" });
  const order = await createOrderFetcher(client).byId(id);
  expect(order).toMatchObject({
    id,
    cart: [{ sku: "mug", quantity: 2 }],
    total: { gross: 125, currency: "EUR" },
  });
  const { orders: found } = await createOrderFetcher(client).byCustomerIdentifier("bob");
  expect(found.map((one) => one.id)).toEqual([id]);
});

test("subscription contracts are created, changed, read, paused, renewed and cancelled by their manager and fetcher", async () => {
  const failure = "... on BasicError { errorName message }";
  const prepared = await client.nextPimApi<{ plan: { periods: { id: string }[] } }>(`mutation {
    plan: createSubscriptionPlan(input: {identifier: "coffee", name: "Coffee",
      periods: [{name: "Monthly", recurring: {period: 1, unit: month}}]}) {
      ... on SubscriptionPlan { periods { id } } ${failure} }
    shape: createShape(input: {identifier: "goods", name: "Goods", type: product}) {
      ... on Shape { identifier } ${failure} }
    product: upsertProduct(language: "en", input: {shapeIdentifier: "goods", name: "Beans",
      variants: [{sku: "beans", name: "Beans", isDefault: true}]}) { ... on Product { id } ${failure} }
    customer: createCustomer(input: {identifier: "ada", firstName: "Ada", type: individual}) {
      ... on Customer { identifier } ${failure} } }`);
  const contracts = createSubscriptionContractManager(client);
  const created = await contracts.create({
    customerIdentifier: "ada",
    subscriptionPlan: {
      ...{ identifier: "coffee", periodName: "Monthly" },
      periodId: prepared.plan.periods[0]?.id as string,
    },
    item: { sku: "beans", name: "Beans", quantity: 1 },
    recurring: { price: 9.99, currency: "EUR", period: 1, unit: "month" },
    status: { activeUntil: "2999-01-01T00:00:00.000Z" },
    addresses: [{ type: "billing", city: "Oslo" }],
  });
  expect(created).toMatchObject({ id: expect.any(String), customerIdentifier: "ada" });
  await contracts.update({ id: created.id, meta: [{ key: "source", value: "shop" }] });
  const fetcher = createSubscriptionContractFetcher(client);
  expect(await fetcher.byId(created.id)).toMatchObject({ id: created.id, item: { sku: "beans" } });
  const { subscriptionContracts } = await fetcher.byCustomerIdentifier("ada");
  expect(subscriptionContracts.map(({ id }: { id: string }) => id)).toEqual([created.id]);

  const { id } = created;
  const [end, later] = ["2999-01-01T00:00:00.000Z", "2999-02-01T00:00:00.000Z"];
  const dates = { status: { state: true, renewAt: true, activeUntil: true } };
  const status = (state: string, activeUntil: string | null, renewAt: string | null) =>
    expect.objectContaining({ id, status: { state, activeUntil, renewAt } });
  expect(await contracts.pause(id, dates)).toEqual(status("paused", end, null));
  expect(await errorOf(contracts.pause(id))).toMatchObject({
    message: expect.stringMatching(/^\[SubscriptionContractIsAlreadyPausedError\]/),
  });
  expect(await contracts.resume(id, dates)).toEqual(status("pendingDeactivation", end, null));
  expect(await errorOf(contracts.resume(id))).toMatchObject({
    message: expect.stringMatching(/^\[SubscriptionContractIsNotPausedError\]/),
  });
  expect(await contracts.renew(id, dates)).toEqual(status("active", later, later));
  expect(await contracts.cancel(id, false, dates)).toEqual(status("pendingDeactivation", later, null));
  expect(await contracts.cancel(id, true, dates)).toEqual(status("cancelled", null, null));
});
