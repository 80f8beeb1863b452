import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { tenantExists } from "../../src/storage/tenants/find.ts";
import { uploadRoutes } from "../../src/uploads/receive.ts";
import { useApi } from "../http/support.ts";

/** Requests of existing clients, in their own shapes: each must be answered unchanged. */

const body = "... on BasicError { errorName message }";

describe("a client that writes its arguments into the query", () => {
  const api = useApi();

  const price = `{gross: 12.5, net: 10, currency: "EUR", discounts: [{percent: 5}], tax: {name: "VAT", percent: 25}}`;
  const registered = `mutation { registerOrder(input: {
    type: "standard", paymentStatus: "paid", additionalInformation: "Ring twice",
    customer: {identifier: "ann", type: individual, addresses: [{type: billing, city: "Oslo"}]},
    cart: [{sku: "s", name: "Shoe", quantity: 1, type: "standard", price: ${price}, subTotal: ${price},
      subscription: {name: "Plan", period: 1, unit: month, start: "2026-01-01", end: "2026-12-31"}}],
    appliedPromotions: [{identifier: "p", name: "P", mechanism: {type: "percentage", value: 10}}],
    payment: [{provider: custom, custom: {properties: [{property: "p", value: "v"}]}}],
    total: ${price}, meta: [{key: "k", value: "v"}] }) {
    ... on OrderConfirmation { id createdAt } ${body} } }`;

  test("a client that writes arguments into queries can register, update, read and list orders", async () => {
    const { registerOrder } = await api.data(registered);
    expect(registerOrder).toEqual({ id: expect.any(String), createdAt: expect.any(String) });
    const { id } = registerOrder;
    const shown = "price { gross net currency discounts { percent } tax { name percent } }";
    const order = `id reference createdAt updatedAt customer { identifier }
      cart { name sku imageUrl quantity ${shown} } total { gross net currency discounts { percent } tax { name percent } }`;
    expect(
      await api.data(`mutation { updateOrder(id: "${id}", input: {payment: [{provider: cash, cash: {cash: "9"}}]}) {
        ... on Order { id reference customer { identifier } payment { provider } } ${body} } }`),
    ).toEqual({
      updateOrder: { id, reference: id, customer: { identifier: "ann" }, payment: [{ provider: "cash" }] },
    });
    const one = await api.data(`query { order(id: "${id}") { ... on Order { ${order} } ${body} } }`);
    const amount = {
      gross: 12.5,
      net: 10,
      currency: "EUR",
      discounts: [{ percent: 5 }],
      tax: { name: "VAT", percent: 25 },
    };
    expect(one.order).toMatchObject({
      id,
      cart: [{ name: "Shoe", sku: "s", imageUrl: null, quantity: 1, price: amount }],
      total: amount,
    });
    const many = await api.data(`query { orders(filter: {customer: {identifier: "ann"}}, first: 5) {
      ... on OrderConnection { pageInfo { hasPreviousPage hasNextPage startCursor endCursor } edges { node { ${order} } } } ${body} } }`);
    expect(many.orders).toEqual({
      pageInfo: {
        hasPreviousPage: false,
        hasNextPage: false,
        startCursor: expect.any(String),
        endCursor: expect.any(String),
      },
      edges: [{ node: one.order }],
    });
    const none = await api.data(`query { orders(filter: {customer: {identifier: "nobody"}}) {
      ... on OrderConnection { pageInfo { hasPreviousPage hasNextPage startCursor endCursor } edges { node { id } } } ${body} } }`);
    expect(none.orders).toEqual({
      pageInfo: { hasPreviousPage: false, hasNextPage: false, startCursor: null, endCursor: null },
      edges: [],
    });
  });

  test("a client that writes arguments into queries can create, update and read customers and groups", async () => {
    await api.data(
      `mutation { createCustomerGroup(input: {identifier: "g", name: "G", parents: []}) { ... on CustomerGroup { identifier } ${body} } }`,
    );
    await api.data(
      `mutation { createCustomerGroup(input: {identifier: "h", name: "H", parents: [{identifier: "g", type: "customerGroup"}]}) { ... on CustomerGroup { identifier } ${body} } }`,
    );
    expect(
      await api.data(
        `mutation { updateCustomerGroup(identifier: "h", input: {name: "H2"}) { ... on CustomerGroup { identifier } ${body} } }`,
      ),
    ).toEqual({ updateCustomerGroup: { identifier: "h" } });
    expect(
      await api.data(`mutation { createCustomer(input: {identifier: "cleo", type: individual, email: "cleo@example.com", firstName: "Cleo",
        addresses: [{type: delivery, street: "S"}], parents: [{identifier: "h", type: customerGroup}],
        meta: [{key: "m", value: "1"}], externalReferences: [{key: "erp", value: "7"}]}) { ... on Customer { identifier } ${body} } }`),
    ).toEqual({ createCustomer: { identifier: "cleo" } });
    await api.data(
      `mutation { updateCustomer(identifier: "cleo", input: {lastName: "Patra"}) { ... on Customer { identifier } ${body} } }`,
    );
    const fields = "identifier email firstName lastName meta { key value } externalReferences { key value }";
    const cleo = {
      identifier: "cleo",
      email: "cleo@example.com",
      firstName: "Cleo",
      lastName: "Patra",
      meta: [{ key: "m", value: "1" }],
      externalReferences: [{ key: "erp", value: "7" }],
    };
    for (const by of ['identifier: "cleo"', 'externalReference: {key: "erp", value: "7"}'])
      expect(
        await api.data(`query { customer(${by}) { ... on Customer { ${fields} } ${body} } }`),
        by,
      ).toEqual({ customer: cleo });
  });

  test("a client reads a failure from errorName and message at the first level", async () => {
    expect(
      await api.data(`query { order(id: "${"f".repeat(24)}") { ... on Order { id } ${body} } }`),
    ).toEqual({
      order: { errorName: "OrderNotFoundError", message: `No order has the id "${"f".repeat(24)}"` },
    });
  });

  test("a client may ask for the tenant's id, and for shapes and pieces without a fragment on errors", async () => {
    expect(
      await api.data(
        'query { tenant(identifier: "shop") { id name staticAuthToken } shapes(first: 100) { edges { node { identifier name type resolvedConfiguration } } pageInfo { hasNextPage endCursor } } pieces(first: 100) { edges { node { identifier name } } } }',
      ),
    ).toMatchObject({
      tenant: { id: api.shop.tenant.id },
      shapes: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
      pieces: { edges: [] },
    });
  });
});

describe("a client that runs a mass operation", () => {
  const api = useApi();
  beforeAll(async () => {
    await api.server.register(uploadRoutes, {
      store: api.store,
      credential: { id: "tests", secret: "a secret of the tests" },
      tenantExists: (id) => tenantExists(api.database, id),
      bucket: "uploads",
      publicUrl: () => "https://shop.example",
    });
  });

  const error = "... on BasicError { error: message }";

  test("a client runs a mass operation with its own queries, from the upload form to the log", async () => {
    const { generatePresignedUploadRequest: request } = await api.data(
      `mutation Request($filename: String!, $contentType: String!, $type: FileUploadType!) {
        generatePresignedUploadRequest(filename: $filename, contentType: $contentType, type: $type) {
          ... on PresignedUploadRequest { url fields { name value } maxSize lifetime } ${error} } }`,
      { filename: "mass-operation-x.json", contentType: "application/json", type: "MASS_OPERATIONS" },
    );
    const form = new FormData();
    for (const { name, value } of request.fields) form.append(name, value);
    form.append(
      "file",
      new Blob(['{"version": "0.0.1", "operations": []}'], { type: "application/octet-stream" }),
      "",
    );
    const upload = new Response(form);
    const uploaded = await api.server.inject({
      method: "POST",
      url: new URL(request.url).pathname,
      headers: { "content-type": upload.headers.get("content-type") as string },
      payload: Readable.from([Buffer.from(await upload.arrayBuffer())]),
    });
    expect(uploaded.statusCode).toBe(201);
    const key = request.fields.find(({ name }: { name: string }) => name === "key").value;
    const { createMassOperationBulkTask: created } = await api.data(
      `mutation Create($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: false}) {
        ... on BulkTaskMassOperation { id status } ${error} } }`,
      { key },
    );
    expect(created).toEqual({ id: expect.any(String), status: "pending" });
    const { startMassOperationBulkTask: started } = await api.data(
      `mutation Start($id: ID!) { startMassOperationBulkTask(id: $id) { ... on BulkTaskMassOperation { id status } ${error} } }`,
      { id: created.id },
    );
    expect(started).toEqual({ id: created.id, status: "started" });
    const { bulkTask } = await api.data(
      `query Task($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { id type status key } ${error} } }`,
      { id: created.id },
    );
    expect(bulkTask).toEqual({ id: created.id, type: "massOperation", status: "started", key });
    const { operationLogs } = await api.data(
      `query Logs($after: String, $first: Int, $operationId: ID!) {
        operationLogs(after: $after, first: $first, filter: {operationId: $operationId}) { ... on OperationLogConnection {
          pageInfo { endCursor hasNextPage } edges { node { id input output message status statusCode } } } } }`,
      { after: "", first: 100, operationId: created.id },
    );
    expect(operationLogs).toEqual({ pageInfo: { endCursor: null, hasNextPage: false }, edges: [] });
  });

  test("a client that runs a mass operation sees a failure as error at the first level", async () => {
    const { createMassOperationBulkTask } = await api.data(
      `mutation Create($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: false}) {
        ... on BulkTaskMassOperation { id status } ${error} } }`,
      { key: "nothing" },
    );
    expect(createMassOperationBulkTask.error).toContain("Nothing was uploaded under the key");
  });
});
