import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type RunningService, startService } from "lading";

let service: RunningService;

before(async () => {
  service = await startService({ memory: true, port: 0, logLevel: "silent" });
});
after(() => service.stop());

test("a new shop speaks English", async () => {
  const shop = await service.createTenant({ identifier: "shop" });
  const response = await fetch(shop.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-access-token-id": shop.accessTokenId,
      "x-service-access-token-secret": shop.accessTokenSecret,
    },
    body: JSON.stringify({ query: "{ tenant { ... on Tenant { languages { code } } } }" }),
  });
  assert.deepEqual(await response.json(), { data: { tenant: { languages: [{ code: "en" }] } } });
});
