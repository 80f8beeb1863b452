import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Intent } from "@lading/schema";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { TenantClient } from "../../test/support/client.ts";
import { mutationCall } from "../../test/support/parity/call.ts";
import type { Operation, Words } from "../workloads/workload.ts";

/** Ids and identifiers that mutations use where a file has references; the folder is found by its identifier. */
export async function literalWords(service: TenantClient, folder: string): Promise<Words> {
  const found = await service.graphql<{
    tenant: { vatTypes: { id: string }[] };
    folder: { id: string };
  }>(
    `query ($folder: String!) { tenant { vatTypes { id } }
       folder(resourceIdentifier: $folder, language: "en") {
         ... on Folder { id } ... on BasicError { error } } }`,
    { folder },
  );
  return {
    folder: found.folder.id,
    vatType: found.tenant.vatTypes[0]!.id,
    customer: (number) => `customer-${number}`,
  };
}

const schema = coreSchema();

/**
 * Sends operations as mutations over one kept-alive connection, each when the previous one is answered;
 * returns the rate per second. `failures` of them must fail, and the others succeed.
 */
export async function oneByOne(
  { address, access }: TenantClient,
  operations: readonly Operation[],
  failures: number,
): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-service-access-token-id": access.accessTokenId,
    "x-service-access-token-secret": access.accessTokenSecret,
  };
  const bodies = operations.map(({ intent, _ref: _, ...payload }) =>
    JSON.stringify(mutationCall(schema, intent as Intent, payload, () => "")),
  );
  // Once a request to an origin had `connection: close`, `fetch` opens a new connection for each later one.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let failed = 0;
  const started = performance.now();
  for (const body of bodies) {
    const [response] = await once(request(address, { agent, method: "POST", headers }).end(body), "response");
    const { data, errors }: Answer = JSON.parse(await text(response));
    if (errors) throw new Error(errors[0]?.message);
    if (data.it.errorName !== undefined) failed++;
  }
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  if (failed !== failures) throw new Error(`${failed} mutations failed instead of ${failures}`);
  return operations.length / seconds;
}

interface Answer {
  data: { it: { errorName?: string } };
  errors?: { message: string }[];
}
