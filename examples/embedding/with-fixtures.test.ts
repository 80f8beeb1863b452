import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type RunningService, type ServiceTenant, startService } from "lading";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: RunningService;
let shop: ServiceTenant;

beforeAll(async () => {
  service = await startService({ memory: true, port: 0, logLevel: "silent" });
  shop = await service.createTenant({ identifier: "shop" });
  // Not execFileSync: the service answers in this process.
  await promisify(execFile)("npx", ["lading", "mass-operation", "run", "shop", "fixtures.json", "--quiet"], {
    cwd: import.meta.dirname,
    env: {
      ...process.env,
      LADING_URL: service.url,
      LADING_ACCESS_TOKEN_ID: shop.accessTokenId,
      LADING_ACCESS_TOKEN_SECRET: shop.accessTokenSecret,
    },
  });
}, 60_000);
afterAll(() => service.stop());

test("a shop with the fixtures has Sencha", async () => {
  const response = await fetch(shop.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-access-token-id": shop.accessTokenId,
      "x-service-access-token-secret": shop.accessTokenSecret,
    },
    body: JSON.stringify({
      query: `{ product(resourceIdentifier: "sencha", language: "en") { ... on Product { name } ... on BasicError { message } } }`,
    }),
  });
  expect(await response.json()).toEqual({ data: { product: { name: "Sencha" } } });
});
