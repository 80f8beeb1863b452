import { beforeAll, expect, test } from "vitest";
import { createTenant } from "../../src/tenants/create.ts";
import { useApi } from "../http/support.ts";

const api = useApi();
beforeAll(async () => {
  await createTenant(api.database, { identifier: "other" });
});

const query = `query ($first: Int, $after: String) { accessTokens(first: $first, after: $after) { totalCount
  pageInfo { hasNextPage endCursor } edges { node { id name role createdAt expiresAt lastUsedAt } } } }`;

test("a reader does not see the tenant's access tokens", async () => {
  const headers = await api.tokenHeaders("reader");
  const { body } = await api.send({ method: "POST", url: "/@shop", headers, payload: { query } });
  expect([body.data.accessTokens, body.errors[0].extensions.code]).toEqual([null, "UnauthorizedError"]);
});

test("an admin sees the tenant's access tokens in pages, without a secret, and no other tenant's", async () => {
  const names: string[] = [];
  for (let after: string | null = null; ; ) {
    const answer = await api.ask(query, { first: 1, after });
    expect(JSON.stringify(answer.body)).not.toContain(api.shop.accessTokenSecret);
    const { edges, pageInfo, totalCount } = answer.body.data.accessTokens;
    expect(totalCount).toBe(2);
    names.push(...edges.map(({ node }: { node: { role: string } }) => node.role));
    after = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) break;
  }
  expect(names).toEqual(["admin", "reader"]);
});

test("a tenant counts only its own data", async () => {
  const { tenant } = await api.data("{ tenant { usage { items customers orders bulkTasks operations } } }");
  expect(tenant.usage).toEqual({ items: 0, customers: 0, orders: 0, bulkTasks: 0, operations: 0 });
});
