import { createServer } from "node:http";
import { PGlite } from "@electric-sql/pglite";
import type { TestProject } from "vitest/node";
import { pgliteDatabase } from "../../../packages/service/src/storage/engines/pglite.ts";
import { migrate } from "../../../packages/service/src/storage/migrate.ts";
import { type PostgresServer, startPostgres } from "../postgres/postgres.ts";
import { listen } from "../servers/port.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Answers a GET with the URL of the test server's database `postgres`, starting the server if need be. */
    postgresBroker: string;
    /** Answers a GET with a migrated, empty PGlite data folder as an archive, made for the first who asks. */
    pgliteBroker: string;
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
  let template: Promise<Uint8Array> | undefined;
  const archive = () => {
    template ??= migratedArchive();
    return template;
  };
  const broker = createServer((request, response) => {
    response.shouldKeepAlive = false; // a kept connection may close just as the next request is sent on it
    const answer: Promise<string | Uint8Array> = request.url === "/pglite" ? archive() : url();
    answer.then(
      (body) => response.end(body),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  const address = `http://127.0.0.1:${await listen(broker)}`;
  project.provide("postgresBroker", address);
  project.provide("pgliteBroker", `${address}/pglite`);
  return async () => {
    broker.close();
    const started = await server?.catch(() => undefined); // whoever asked for it was told why it failed
    await started?.stop();
  };
}

/** Creating a PGlite takes seconds, loading the archive of one a fraction of that. */
async function migratedArchive(): Promise<Uint8Array> {
  const engine = await PGlite.create();
  await migrate(await pgliteDatabase(engine));
  const archive = await engine.dumpDataDir("none");
  await engine.close();
  return archive.bytes();
}
