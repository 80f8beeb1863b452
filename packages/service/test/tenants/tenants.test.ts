import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { createTenant } from "../../src/tenants/create.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { headersOf, useApi } from "../http/support.ts";
import { askOperator, auditTrail, deleteTenant, showTenant, updateTenant } from "./operator-api.ts";

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

describe.each(engines)("tenants for their operator on $name", ({ open }) => {
  const api = useApi({ open });

  test("a tenant that does not exist is neither shown, changed nor deleted", async () => {
    const answer = { errorName: "TenantNotFoundError", message: 'There is no tenant "nobody"' };
    expect(await showTenant(api, "nobody")).toEqual(answer);
    expect(await updateTenant(api, "nobody", { name: "Somebody" })).toEqual(answer);
    expect(await deleteTenant(api, "nobody")).toEqual(answer);
  });

  test("a limit out of its range is refused and the message has the range", async () => {
    for (const input of [
      { uploadMaxBytes: 0 },
      { uploadMaxBytes: 1.5 },
      { uploadMaxBytes: 1e15 },
      { uploadLifetimeSeconds: -1 },
      { uploadLifetimeSeconds: 604_801 },
      { maxWaitingTasks: 0 },
      { keepBeforeDays: -1 },
    ])
      expect(await updateTenant(api, "shop", input)).toMatchObject({
        errorName: "ValidationError",
        message: expect.stringMatching(/it must be a whole number from [01] to /),
      });
  });

  test("a changed limit applies to the next upload, and omitted ones stay", async () => {
    const limits = {
      uploadMaxBytes: 1000,
      uploadLifetimeSeconds: 900,
      maxWaitingTasks: 10_000,
      keepBeforeDays: 30,
    };
    const changed = { name: "The shop", ...limits };
    expect(await updateTenant(api, "shop", { uploadMaxBytes: 1000 })).toEqual(changed);
    expect(await updateTenant(api, "shop", {})).toEqual(changed);
    expect(
      await api.data(`mutation { generatePresignedUploadRequest(
        input: {type: MASS_OPERATIONS, filename: "a.json", contentType: "application/json"}) {
        ... on PresignedUploadRequest { maxSize lifetime } ... on BasicError { message } } }`),
    ).toEqual({ generatePresignedUploadRequest: { maxSize: 1000, lifetime: 900 } });
    expect((await auditTrail(api, { action: "tenant.updated" })).at(-1)).toMatchObject({
      tenantIdentifier: "shop",
      details: { uploadMaxBytes: 1000 },
    });
  });

  test("a tenant is shown with its tokens and usage", async () => {
    await api.data(`mutation { createCustomer(input: {identifier: "ann", type: individual}) {
      ... on Customer { identifier } ... on BasicError { message } } }`);
    expect(await showTenant(api, "shop")).toMatchObject({
      identifier: "shop",
      accessTokens: [{ id: api.shop.accessTokenId, name: "first token", role: "admin" }],
      usage: { items: 0, productVariants: 0, customers: 1, orders: 0, bulkTasks: 0, operations: 0 },
    });
  });

  const uploadAndCreateTask = async (tenant: Awaited<ReturnType<typeof createTenant>>) => {
    const key = await api.uploaded("{}", tenant.tenant.id);
    const query = `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key}) {
      ... on BulkTaskMassOperation { id } ... on BasicError { message } } }`;
    const headers = headersOf({ id: tenant.accessTokenId, secret: tenant.accessTokenSecret });
    const url = `/@${tenant.tenant.identifier}`;
    await api.send({ method: "POST", url, headers, payload: { query, variables: { key } } });
    return key;
  };

  const rowsOf = async (tenantId: string) => {
    const tables = await api.database.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'tenant_id'",
    );
    const counts = tables.map(async ({ name }) => {
      const [row] = await api.database.query<{ count: number }>(
        `SELECT count(*) FROM ${name} WHERE tenant_id = $1`,
        [tenantId],
      );
      return [name, row?.count ?? 0] as const;
    });
    return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0));
  };

  test("a deleted tenant leaves nothing behind but its trail, and no other tenant is touched", async () => {
    const gone = await createTenant(api.database, { identifier: "gone" });
    const headers = headersOf({ id: gone.accessTokenId, secret: gone.accessTokenSecret });
    const send = (query: string) => api.send({ method: "POST", url: "/@gone", headers, payload: { query } });
    const failure = "... on BasicError { message }";
    await send(`mutation {
      a: createShape(input: {identifier: "thing", type: product, name: "Thing"}) { ... on Shape { name } ${failure} }
      b: createProduct(language: "en", input: {name: "One", shapeIdentifier: "thing", vatTypeId: "${gone.tenant.settings.vatTypes[0]?.id}",
        variants: [{sku: "one", isDefault: true, name: "One"}], tree: {parentId: "${gone.tenant.rootItemId}"}}) { ... on Product { id } ${failure} }
      c: createCustomer(input: {identifier: "ann", type: individual}) { ... on Customer { identifier } ${failure} }
      d: generatePresignedUploadRequest(type: MASS_OPERATIONS, filename: "a.json", contentType: "application/json") {
        ... on PresignedUploadRequest { url } ${failure} } }`);
    const key = await uploadAndCreateTask(gone);
    const image = newUploadKey(gone.tenant.id, "dot.png", "MEDIA");
    await api.store.put(image, Readable.from([dot]), { minBytes: 1, maxBytes: 100 });
    await send(`mutation { registerImage(imageKey: "${image}") { ... on Image { key } ${failure} } }`);
    const before = await rowsOf(gone.tenant.id);
    for (const table of [
      "items",
      "item_contents",
      "product_variants",
      "shapes",
      "customers",
      "bulk_tasks",
      "images",
      "uploads",
    ])
      expect(before, table).toHaveProperty(table);
    const others = await rowsOf(api.shop.tenant.id);

    expect(await deleteTenant(api, "gone")).toEqual({ id: gone.tenant.id, identifier: "gone" });

    expect(Object.keys(await rowsOf(gone.tenant.id))).toEqual(["audit_trail"]);
    for (const file of [key, image]) expect(await api.store.stat(file), file).toBeUndefined();
    expect(await rowsOf(api.shop.tenant.id)).toEqual(others);
    expect((await send("{ tenant { id } }")).status).toBe(404);
    const [deleted] = await auditTrail(api, { tenantIdentifier: "gone" });
    expect(deleted).toMatchObject({ action: "tenant.deleted", actor: "operator", details: { name: "gone" } });
  });

  test("the identifier of a deleted tenant is free, and the new tenant has another id", async () => {
    const first = await createTenant(api.database, { identifier: "again" });
    await deleteTenant(api, "again");
    const second = await createTenant(api.database, { identifier: "again" });
    expect(second.tenant.id).not.toBe(first.tenant.id);
    expect(await showTenant(api, "again")).toMatchObject({ id: second.tenant.id, usage: { items: 0 } });
  });

  test("a tenant is deleted while it is written to", async () => {
    const busy = await createTenant(api.database, { identifier: "busy" });
    const headers = headersOf({ id: busy.accessTokenId, secret: busy.accessTokenSecret });
    const write = (n: number) =>
      api.send({
        ...{ method: "POST", url: "/@busy", headers },
        payload: {
          query: `mutation { createCustomer(input: {identifier: "c${n}", type: individual}) {
            ... on Customer { identifier } ... on BasicError { errorName } } }`,
        },
      });
    const writes = Array.from({ length: 30 }, (_, n) => write(n));
    expect(await deleteTenant(api, "busy")).toMatchObject({ identifier: "busy" });
    const late = await write(30);
    for (const { status, body } of [...(await Promise.all(writes)), late])
      if (status !== 200)
        expect({ status, body }).toMatchObject({
          status: 404,
          body: { message: expect.any(String), errors: [{ extensions: { code: "TenantNotFound" } }] },
        });
    expect(late.status).toBe(404);
    expect(api.logged).toEqual([]);
    expect(Object.keys(await rowsOf(busy.tenant.id))).toEqual(["audit_trail"]);
  });

  test("a mutation that meets the deletion is answered 404, and logged as no defect", async () => {
    const tenant = await createTenant(api.database, { identifier: "meets" });
    const headers = headersOf({ id: tenant.accessTokenId, secret: tenant.accessTokenSecret });
    // Who calls is settled before the deletion, and the mutation is executed after it.
    const server = api.another({
      database: {
        ...api.database,
        transaction: async (work, turn) => {
          await deleteTenant(api, "meets");
          return api.database.transaction(work, turn);
        },
      },
    });
    const query = `mutation { createCustomer(input: {identifier: "c", type: individual}) {
      ... on Customer { identifier } ... on BasicError { errorName } } }`;
    const answer = await server.inject({ method: "POST", url: "/@meets", headers, payload: { query } });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      404,
      {
        message: "There is no such tenant: it was deleted.",
        errors: [{ extensions: { code: "TenantNotFound" } }],
      },
    ]);
    expect(api.logged).toEqual([]);
    await server.close();
  });

  test("the operator reads the trail of all tenants in pages, a tenant reads its own", async () => {
    const page = (after: string) =>
      askOperator(
        api,
        `query ($after: String) { auditTrail(first: 1, after: $after) {
          edges { node { id } } pageInfo { endCursor hasNextPage } totalCount } }`,
        { after },
      );
    const ids = new Set<string>();
    for (let after = "", more = true; more; ) {
      const { edges, pageInfo } = await page(after);
      ids.add(edges[0].node.id);
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(ids.size).toBe((await page("")).totalCount);
    const { auditTrail: own } = await api.data("{ auditTrail { edges { node { tenantIdentifier } } } }");
    const tenants = own.edges.map(
      ({ node }: { node: { tenantIdentifier: string } }) => node.tenantIdentifier,
    );
    expect(new Set(tenants)).toEqual(new Set(["shop"]));
  });
});
