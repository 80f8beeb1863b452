import { expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { headersOf, operatorToken, useApi } from "./support.ts";

const api = useApi({ open: engines[0]!.open });

const operator = { authorization: `Bearer ${operatorToken}` };

const ask = (query: string, variables = {}, headers: Record<string, string> = operator) =>
  api.send({ method: "POST", url: "/operator", headers, payload: { query, variables } });

const create = (identifier: string, name?: string) =>
  ask(
    `mutation ($identifier: String!, $name: String) { createTenant(input: {identifier: $identifier, name: $name}) {
       ... on CreatedTenant { tenant { id identifier name rootItemId } accessTokenId accessTokenSecret }
       ... on BasicError { errorName message } } }`,
    { identifier, name },
  );

test("without the operator's token, with a wrong one or with a tenant's, the answer is 401", async () => {
  const tenant = headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret });
  const missing = [{}, { authorization: operatorToken }, { authorization: "Bearer" }, tenant];
  for (const headers of [...missing, { authorization: "Bearer wrong" }])
    expect(await ask("{ tenants { totalCount } }", {}, headers as Record<string, string>)).toMatchObject({
      status: 401,
      body: {
        message: missing.includes(headers)
          ? expect.stringContaining("Authorization: Bearer")
          : "This is not the operator's token.",
        errors: [{}],
      },
    });
});

test("a second operator's token is accepted, too, and an empty one opens nothing", async () => {
  const status = async (secondOperatorToken: string, token: string) => {
    const server = api.another({ secondOperatorToken });
    const headers = { authorization: `Bearer ${token}` };
    const payload = { query: "{ tenants { totalCount } }" };
    const { statusCode } = await server.inject({ method: "POST", url: "/operator", headers, payload });
    await server.close();
    return statusCode;
  };
  expect(await status("second", operatorToken)).toBe(200);
  expect(await status("second", "second")).toBe(200);
  expect(await status("second", "third")).toBe(401);
  expect(await status("", "")).toBe(401);
  expect(await status("", "second")).toBe(401);
});

test("the operator's token does not give access to a tenant", async () => {
  const answer = await api.send({
    method: "POST",
    url: "/@shop",
    headers: operator,
    payload: { query: "{ tenant { id } }" },
  });
  expect(answer.status).toBe(401);
});

test("an identifier that is taken or has a wrong form is an error by name", async () => {
  expect((await create("shop")).body.data.createTenant).toEqual({
    errorName: "TenantIdentifierTakenError",
    message: 'A tenant "shop" exists already',
  });
  for (const identifier of ["", "a", "Shop", "a b", "-ab", "x".repeat(65), "ü1"])
    expect((await create(identifier)).body.data.createTenant.errorName).toBe("ValidationError");
  expect((await create("no\u0000l")).body.data.createTenant.errorName).toBe("ValidationError");
});

test("a created tenant has a root folder, and its token opens its API and no other", async () => {
  const { createTenant: created } = (await create("second", "The second")).body.data;
  expect(created.tenant).toMatchObject({ identifier: "second", name: "The second" });
  const headers = headersOf({ id: created.accessTokenId, secret: created.accessTokenSecret });
  const query = `query ($root: ID!) { tenant { id } item(id: $root, language: "en") {
    ... on Folder { id name } ... on BasicError { errorName } } }`;
  const payload = { query, variables: { root: created.tenant.rootItemId } };
  const own = await api.send({ method: "POST", url: "/@second", headers, payload });
  expect(own.body.data).toEqual({
    tenant: { id: created.tenant.id },
    item: { id: created.tenant.rootItemId, name: null },
  });
  expect((await api.send({ method: "POST", url: "/@shop", headers, payload })).status).toBe(401);
});

test("tenants are listed in pages", async () => {
  await create("third");
  const page = async (after?: string) =>
    (
      await ask(
        `query ($after: String) { tenants(first: 2, after: $after) {
          edges { node { identifier } } pageInfo { hasNextPage endCursor } totalCount } }`,
        { after },
      )
    ).body.data.tenants;
  const first = await page();
  expect(first.edges).toHaveLength(2);
  const second = await page(first.pageInfo.endCursor);
  const names = [...first.edges, ...second.edges].map(
    ({ node }: { node: { identifier: string } }) => node.identifier,
  );
  expect(names).toEqual(["second", "shop", "third"]);
  expect(second).toMatchObject({ pageInfo: { hasNextPage: false }, totalCount: 3 });
});
