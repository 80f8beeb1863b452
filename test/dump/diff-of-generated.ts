import fc from "fast-check";
import { expect } from "vitest";
import type { TestService } from "../support/service.ts";
import { madeAlike } from "./differing.ts";
import { run } from "./dumping.ts";
import { smallTenants } from "./small-tenants.ts";

let tenants = 0;

/**
 * Makes generated tenants like other ones. Every second one can become equal to its other one: then the dumps are
 * compared, too. Returns how many operations that took.
 */
export async function makeGeneratedAlike(service: TestService, numRuns: number): Promise<number> {
  let operations = 0;
  const tenant = async (file: object[]) => {
    const client = await service.tenant(`generated-${++tenants}`);
    await run(client, { version: "1.0.0", operations: file });
    return client;
  };
  for (const isFull of [true, false])
    await fc.assert(
      fc.asyncProperty(smallTenants(), smallTenants(isFull), async (before, after) => {
        const made = await madeAlike(await tenant(before), await tenant(after));
        if (isFull) expect(made.isEqual).toBe(true);
        operations += made.operations.length;
      }),
      { numRuns: numRuns / 2, endOnFailure: true },
    );
  return operations;
}
