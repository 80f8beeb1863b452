import { describe, expect, test } from "vitest";
import { makeGeneratedAlike } from "../dump/diff-of-generated.ts";
import { openService, serviceEngines } from "../support/service.ts";

describe.each(serviceEngines)("generated tenants, on %s", (engine) => {
  test("become like other generated ones by the operations of their difference", async () => {
    const service = await openService(engine);
    try {
      const { operations, equal } = await makeGeneratedAlike(service, 12);
      console.log("COUNTS", operations, equal);
      expect(operations).toBeGreaterThan(100);
      expect(equal).toBeGreaterThan(5);
    } finally {
      await service.close();
    }
  }, 600_000);
});
