import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Serves small images at `<url>/<number>.png`, a different one for each number. */
export async function imageServer(): Promise<{ url: string; close(): void }> {
  const server = createServer(({ url = "" }, response) => {
    const number = Number(/(\d+)\.png/.exec(url)?.[1] ?? 0);
    const image = Buffer.concat([Buffer.from(pixel, "base64"), Buffer.alloc(number + 1, number)]);
    response.writeHead(200, { "content-type": "image/png", connection: "close" }).end(image);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
