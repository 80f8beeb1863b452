import {
  type RunningService,
  type ServiceTenant,
  startService,
} from "../../../packages/service/src/index.ts";
import { tenantClient } from "../client.ts";
import { runFile } from "../service.ts";

/**
 * Starts ten services in memory, lets each run a file of its own at the same time, stops all but the last, and prints
 * what that took and what each of them has.
 */
const loadMs = Math.round(performance.now());
const services: RunningService[] = [];
const startMs: number[] = [];
const residentMiB: number[] = [];

for (let n = 0; n < 10; n++) {
  const began = performance.now();
  services.push(await startService({ memory: true, port: 0, logLevel: "silent", rateLimit: 0 }));
  startMs.push(Math.round(performance.now() - began));
  residentMiB.push(Math.round(process.memoryUsage.rss() / 1024 ** 2));
}

const clientOf = ({ url }: RunningService, { id, identifier, ...access }: ServiceTenant) =>
  tenantClient(url, identifier, { ...access, tenant: { id, rootItemId: "" } });

const clients = await Promise.all(
  services.map(async (service) => clientOf(service, await service.createTenant({ identifier: "shop" }))),
);
const succeeded = await Promise.all(
  clients.map(async (client, n) => {
    const operations = Array.from({ length: 200 + n }, (_, i) => ({
      intent: "customer/group/create",
      identifier: `group-${i}`,
      name: `${n}`,
    }));
    return (await runFile(client, { version: "1.0.0", operations })).progress.succeeded;
  }),
);
const ranMiB = Math.round(process.memoryUsage.rss() / 1024 ** 2);

const last = services.length - 1;
await Promise.all(services.slice(0, last).map((service) => service.stop()));
const afterwards = await clients[last]?.graphql(`{ customerGroups {
  ... on CustomerGroupConnection { totalCount edges { node { name } } }
  ... on BasicError { errorName } } }`);
const metrics = await (await fetch(`${services[last]?.url}/metrics`)).text();
await services[last]?.stop();
console.log(JSON.stringify({ loadMs, startMs, residentMiB, ranMiB, succeeded, afterwards, metrics }));
