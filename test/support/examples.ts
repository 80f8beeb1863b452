import { createServer } from "node:http";
import { blocks, page } from "../docs/pages.ts";
import type { TenantClient } from "./client.ts";
import { listen } from "./servers/port.ts";
import { openService, type serviceEngines, type TestService } from "./service.ts";

/** Where the examples say that there is an image. */
const imageUrl = "https://images.example.com/sencha.png";

/** A drawing is an image too, and the shortest that there is. */
const image =
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><rect width="4" height="3"/></svg>';

/** A service for the examples: its tenants have what examples/README.md tells to make, and the image is there. */
export interface ExampleService extends TestService {
  /** An example that fetches its image from a host of these tests. */
  fetchable(example: string): string;
}

export async function openExampleService(engine: (typeof serviceEngines)[number]): Promise<ExampleService> {
  const host = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "image/svg+xml", connection: "close" }).end(image);
  });
  const port = await listen(host);
  const service = await openService(engine, { rateLimit: 0, imageHosts: ["127.0.0.1"] });
  return {
    ...service,
    fetchable: (example) => example.replaceAll(imageUrl, `http://127.0.0.1:${port}/sencha.svg`),
    tenant: async (identifier) => {
      const tenant = await service.tenant(identifier);
      await makePlan(tenant);
      return tenant;
    },
    close: async () => {
      await service.close();
      host.close();
    },
  };
}

async function makePlan(tenant: TenantClient): Promise<void> {
  const [mutation = ""] = blocks(page("examples/README.md"), "graphql");
  const { createSubscriptionPlan } = await tenant.graphql<{ createSubscriptionPlan: { error?: string } }>(
    mutation,
  );
  if (createSubscriptionPlan.error !== undefined) throw new Error(createSubscriptionPlan.error);
}
