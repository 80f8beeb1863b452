import { type RunningService, type ServiceTenant, startService } from "lading";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: RunningService;
let shop: ServiceTenant;

beforeAll(async () => {
  service = await startService({ memory: true, port: 0, logLevel: "silent" });
  shop = await service.createTenant({ identifier: "shop" });
}, 60_000); // the first service in a process may take longer than the ten seconds of Vitest
afterAll(() => service.stop());

async function graphql(query: string): Promise<unknown> {
  const response = await fetch(shop.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-access-token-id": shop.accessTokenId,
      "x-service-access-token-secret": shop.accessTokenSecret,
    },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test("a customer group can be created", async () => {
  const created = await graphql(`mutation {
    createCustomerGroup(input: { identifier: "vip", name: "VIP" }) {
      ... on CustomerGroup { identifier }
      ... on BasicError { errorName message }
    }
  }`);
  expect(created).toEqual({ data: { createCustomerGroup: { identifier: "vip" } } });
});
