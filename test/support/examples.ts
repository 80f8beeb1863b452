import { page } from "../docs/pages.ts";
import { openImageHost } from "./images/host.ts";
import { type bothServiceEngines, openService, type TestService } from "./service.ts";

/** Where the examples say that there is an image. */
const imageUrl = "https://images.example.com/sencha.png";

/** A drawing is an image too, and the shortest that there is. */
const image =
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><rect width="4" height="3"/></svg>';

export interface ExampleHost {
  image: string;
  /** The example with every intent, which fetches its image from this host. */
  everyIntent: string;
  fetchable(example: string): string;
  close(): Promise<void>;
}

export async function openExampleHost(): Promise<ExampleHost> {
  const { on, close } = await openImageHost();
  const url = on("/sencha.svg", (response) => {
    response.writeHead(200, { "content-type": "image/svg+xml", connection: "close" }).end(image);
  });
  const fetchable = (example: string) => example.replaceAll(imageUrl, url);
  return { image: url, everyIntent: fetchable(page("examples/every-intent.json")), fetchable, close };
}

export interface ExampleService extends TestService, Pick<ExampleHost, "fetchable"> {}

export async function openExampleService(
  engine: (typeof bothServiceEngines)[number],
): Promise<ExampleService> {
  const host = await openExampleHost();
  const service = await openService(engine, { rateLimit: 0, imageHosts: ["127.0.0.1"] });
  return {
    ...service,
    fetchable: host.fetchable,
    close: async () => {
      await service.close();
      await host.close();
    },
  };
}
