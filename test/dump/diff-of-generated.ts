import fc from "fast-check";
import type { TestService } from "../support/service.ts";
import { madeAlike } from "./differing.ts";
import { run } from "./dumping.ts";
import { smallTenants } from "./small-tenants.ts";

let tenants = 0;

/** Counts of generated tenants that were made like other ones. */
interface GeneratedAlike {
  operations: number;
  /** Those whose dumps were equal afterwards. */
  equal: number;
}

/** Makes generated tenants like other ones. */
export async function makeGeneratedAlike(service: TestService, numRuns: number): Promise<GeneratedAlike> {
  const counts = { operations: 0, equal: 0 };
  const tenant = async (operations: object[]) => {
    const client = await service.tenant(`generated-${++tenants}`);
    await run(client, { version: "1.0.0", operations });
    return client;
  };
  await fc.assert(
    fc.asyncProperty(smallTenants, smallTenants, async (before, after) => {
      const { operations, isEqual } = await madeAlike(await tenant(before), await tenant(after));
      counts.operations += operations.length;
      if (isEqual) counts.equal++;
    }),
    { numRuns, endOnFailure: true },
  );
  return counts;
}
