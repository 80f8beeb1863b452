import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Answers a GET with the URL of the test server's database `postgres`, starting the server if need be. */
    postgresBroker: string;
  }
}

/**
 * Runs once around all test files. PostgreSQL is started when the first of them asks for a database, so that a
 * run that needs none does not wait for one. LADING_TEST_DATABASE_URL names a server to use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const url = async () => {
    if (process.env.LADING_TEST_DATABASE_URL) return process.env.LADING_TEST_DATABASE_URL;
    server ??= startPostgres();
    return (await server).url;
  };
  const broker = createServer((_request, response) => {
    url().then(
      (text) => response.end(text),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  broker.listen(0, "127.0.0.1");
  await once(broker, "listening");
  project.provide("postgresBroker", `http://127.0.0.1:${(broker.address() as { port: number }).port}`);
  return async () => {
    broker.close();
    const started = await server?.catch(() => undefined); // whoever asked for it was told why it failed
    await started?.stop();
  };
}
