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
 * Finds a free port for a program that must know it beforehand. It is below those that systems usually give to a server
 * without a number and to connections, and above the last one that `fetch` and browsers refuse.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = randomInt(10_081, 32_000);
  try {
    await listen(server, port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return freePort();
    throw error;
  }
  server.close();
  await once(server, "close");
  return port;
}
