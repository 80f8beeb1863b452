import { describe, expect, test } from "vitest";
import { makeGeneratedAlike } from "../dump/diff-of-generated.ts";
import { openService, serviceEngines } from "../support/service.ts";

describe.each(serviceEngines)("generated tenants, on %s", (engine) => {
  test("become like other generated ones by the operations of their difference", async () => {
    const service = await openService(engine);
    try {
      expect(await makeGeneratedAlike(service, 12)).toBeGreaterThan(100);
    } finally {
      await service.close();
    }
  }, 600_000);
});
