import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Listens on a local port, any free one without a number; returns the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

/**
 * Finds a free port for a program that must know it beforehand. It is below those that systems give to a server without
 * a number and to connections, so no other one gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = randomInt(10_000, 32_000);
  const isFree = await listen(server, port).then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, "close");
  return port;
}
