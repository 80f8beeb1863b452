import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import manifest from "../../../packages/cli/package.json" with { type: "json" };
import { makeSmallFolder } from "../../../packages/service/scripts/small-folder.ts";
import { openPostgres } from "../../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../../packages/service/src/storage/migrate.ts";
import { bundle } from "../../../scripts/bundle.ts";
import { makeFixture } from "../../fixtures/make/make-fixture.ts";
import { distributeFresh } from "../postgres/cluster.ts";
import { clusterUrl, createDatabase, type FreshDatabase } from "../postgres/create-database.ts";
import { type PostgresServer, startPostgres } from "../postgres/postgres.ts";
import { cloneForRelease, linkDependencies, release } from "../release.ts";
import { listen } from "../servers/port.ts";
import { dropConstraints, withoutConstraints } from "./constraints.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * Answers a GET with the URL of the test server's database `postgres`, a GET of `/migrated` with the name of a
     * migrated, empty database there, and a GET of `/lasting` with the URL of a copy of that which is dropped when the
     * run ends; starts the server and migrates if need be. Answers a GET of `/bundle` with the folder of a bundle of
     * the command and its service, of `/fixture` with that of the fixture of this version, and of `/release` with that
     * of the files of its release; makes them if need be.
     */
    postgresBroker: string;
    /** Answers a GET with a migrated, empty PGlite data folder as an archive, made for the first who asks. */
    pgliteBroker: string;
  }
}

const givenUrl = clusterUrl ?? process.env.LADING_TEST_DATABASE_URL;

/**
 * Runs once around all test files. PostgreSQL is started when the first of them asks for a database, so that a
 * run that needs none does not wait for one. LADING_TEST_DATABASE_URL names a server to use instead, and
 * LADING_TEST_CITUS_URL the coordinator of a cluster.
 * With LADING_TEST_WITHOUT_CONSTRAINTS=1 the migrated database has no foreign keys and unique keys.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const url = async () => {
    if (givenUrl) return givenUrl;
    // Autovacuum changes what the same statements cost from run to run.
    server ??= startPostgres({ settings: { autovacuum: "off" } });
    return (await server).url;
  };
  let template: Promise<FreshDatabase> | undefined;
  const migrated = async () => {
    template ??= url().then(migratedDatabase);
    return (await template).name;
  };
  let fixture: Promise<{ folder: string; made: string }> | undefined;
  const fixtureOnce = async () => {
    fixture ??= fixtureForTests();
    return (await fixture).made;
  };
  let released: Promise<{ folder: string; made: string }> | undefined;
  const releaseOnce = async () => {
    released ??= releaseForTests();
    return (await released).made;
  };
  const lasting: FreshDatabase[] = [];
  const last = async () => {
    const database = await createDatabase(await url(), "lasting", await migrated());
    lasting.push(database);
    return database.url;
  };
  const answers: Record<string, () => Promise<string | Uint8Array>> = {
    "/": url,
    "/migrated": migrated,
    "/lasting": last,
    "/pglite": once(migratedArchive),
    "/bundle": once(bundleForTests),
    "/fixture": fixtureOnce,
    "/release": releaseOnce,
  };
  const broker = createServer((request, response) => {
    response.shouldKeepAlive = false; // a kept connection may close just as the next request is sent on it
    answers[request.url!]!().then(
      (body) => response.end(body),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  const address = `http://127.0.0.1:${await listen(broker)}`;
  project.provide("postgresBroker", address);
  project.provide("pgliteBroker", `${address}/pglite`);
  return async () => {
    broker.close();
    const made = await template?.catch(() => undefined);
    await made?.drop();
    await Promise.all(lasting.map((database) => database.drop()));
    for (const made of [fixture, released]) {
      const kept = await made?.catch(() => undefined);
      if (kept) await rm(kept.folder, { recursive: true });
    }
    const started = await server?.catch(() => undefined); // its caller got the error
    await started?.stop();
  };
}

/**
 * Bundles what the tests start most: a bundle starts in less than half of the time. Its folder is the same in each run,
 * so that compiled code is kept.
 */
async function bundleForTests(): Promise<string> {
  const root = join(import.meta.dirname, "../../..");
  const folder = join(root, "node_modules/.cache/lading-tests/bundle");
  await bundle(join(folder, "dist"), { programs: [join(root, "test/support/programs/serve.ts")] });
  await cp(join(root, "packages/cli/bin"), join(folder, "bin"), { recursive: true });
  const { name, version, type, engines } = manifest;
  const text = JSON.stringify({ name, version, type, engines, exports: { "./main": "./dist/main.js" } });
  await writeFile(join(folder, "package.json"), text);
  // Not copied, since a test may build it while others run.
  const page = join(folder, "dist/console");
  await rm(page, { force: true });
  await symlink(join(root, "packages/console"), page);
  return folder;
}

/** Makes at the first call what it returns at each. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Making a fixture takes more than half a minute. */
async function fixtureForTests() {
  const folder = await mkdtemp(join(tmpdir(), "lading-fixtures-"));
  return { folder, made: await makeFixture(folder) };
}

/** Building and packing takes a third of a minute. */
async function releaseForTests() {
  const folder = await mkdtemp(join(tmpdir(), "lading-release-"));
  const clone = join(folder, "clone");
  await cloneForRelease(clone);
  await linkDependencies(clone);
  return { folder, made: await release(clone) };
}

/** Creating a PGlite takes seconds, loading the archive of one a fraction of that. */
async function migratedArchive(): Promise<Uint8Array> {
  const { database, archive } = await makeSmallFolder();
  try {
    return await archive();
  } finally {
    await database.close();
  }
}

/** The database that others are copied from: copying takes a fraction of the time of migrating. */
async function migratedDatabase(server: string): Promise<FreshDatabase> {
  const fresh = await createDatabase(server, "migrated");
  if (clusterUrl !== undefined) {
    await distributeFresh(fresh);
    return fresh;
  }
  const database = openPostgres(fresh.url);
  await migrate(database);
  if (withoutConstraints) await dropConstraints(database);
  await database.close(); // a database that anyone is connected to cannot be copied
  return fresh;
}
