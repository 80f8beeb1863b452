import fc from "fast-check";
import type { TestService } from "../support/service.ts";
import { type Difference, madeAlike } from "./differing.ts";
import { run } from "./dumping.ts";
import { smallTenants } from "./small-tenants.ts";

let tenants = 0;

/** Makes generated tenants like other ones. Returns how many operations that took. */
export async function makeGeneratedAlike(service: TestService, numRuns: number): Promise<number> {
  let operations = 0;
  const tenant = async (operations: object[]) => {
    const client = await service.tenant(`generated-${++tenants}`);
    await run(client, { version: "1.0.0", operations });
    return client;
  };
  await fc.assert(
    fc.asyncProperty(smallTenants, smallTenants, async (before, after) => {
      const difference: Difference = await madeAlike(await tenant(before), await tenant(after));
      operations += difference.operations.length;
    }),
    { numRuns, endOnFailure: true },
  );
  return operations;
}
