import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openServerOrCluster } from "../../packages/service/src/storage/engines/citus/cluster.ts";
import { openPgliteInMemory } from "../../packages/service/src/storage/engines/pglite.ts";
import { lastingDatabase, migratedDatabase } from "./database.ts";
import { inRelease, runs, tenth } from "./extent.ts";
import { clusterUrl } from "./postgres/create-database.ts";
import { pgliteArchive } from "./postgres/pglite-folder.ts";
import { withoutConstraints } from "./vitest/constraints.ts";

/** An engine to run a suite over: `describe.each(engines)("$name: …", ({ open }) => …)`. */
export interface TestEngine {
  name: string;
  /** Opens a migrated, empty database of its own; `close` removes it. */
  open(): Promise<Database>;
}

export interface SharedEngine extends TestEngine {
  /**
   * Opens the migrated database that all suites of this process share, for a suite that looks at its own tenants alone.
   * `close` renames all tenants, so that the next suite can have the same identifiers: only one suite at a time may
   * have it open. The rows stay.
   */
  shared(): Promise<Database>;
}

/** Opens that of PostgreSQL, for suites of what only PostgreSQL does. */
export const sharedPostgres = sharing(async () => openServerOrCluster(await lastingDatabase()));

const pglite: SharedEngine = { name: "PGlite", open: openTestPglite, shared: sharing(openTestPglite) };
const postgresql: SharedEngine = { name: "PostgreSQL", open: openTestPostgres, shared: sharedPostgres };

/** For suites of the port between service and database. */
export const bothEngines: readonly SharedEngine[] =
  withoutConstraints || clusterUrl !== undefined ? [postgresql] : [pglite, postgresql];

/** For all other suites: PostgreSQL in `npm test`, PGlite in `npm run test:release`. */
export const engines: readonly SharedEngine[] = [inRelease ? pglite : postgresql];

/**
 * For random histories of many statements, which both engines execute alike: PostgreSQL, where one takes a third of the
 * time, and in `npm run test:release` also a tenth of them on PGlite.
 */
export const historyEngines: readonly (TestEngine & { runs: typeof runs })[] = inRelease
  ? [
      { ...postgresql, runs },
      { ...pglite, runs: tenth },
    ]
  : [{ ...postgresql, runs }];

/** The shared database of `npm test`, or that of `npm run test:release`. */
export const sharedDatabase = (): Promise<Database> => engines[0]!.shared();

/** Opens a database at the first call, and passes the same to each. */
function sharing(open: () => Promise<Database>): () => Promise<Database> {
  let opened: Promise<Database> | undefined;
  return async () => {
    opened ??= open();
    const database = await opened;
    const close = async () => {
      await database.execute("UPDATE tenants SET identifier = id WHERE identifier <> id");
      if (database.cluster) await database.execute("DELETE FROM tenant_names WHERE identifier <> id");
    };
    return { ...database, close };
  };
}

export async function openTestPglite(): Promise<Database> {
  loaded ??= loadPglite();
  return openPgliteInMemory(...(await loaded));
}

let loaded: ReturnType<typeof loadPglite> | undefined;

/** Reads and compiles what PGlite would otherwise compile anew for each database, which takes twice the CPU time. */
async function loadPglite() {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  const read = async (name: string) => new Uint8Array(await readFile(join(folder, name)));
  const [pglite, initdb, bundle] = await Promise.all(["pglite.wasm", "initdb.wasm", "pglite.data"].map(read));
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all(
    [pglite, initdb].map((code) => WebAssembly.compile(code!)),
  );
  return [
    await pgliteArchive(),
    { pgliteWasmModule, initdbWasmModule, fsBundle: new Blob([bundle!]) },
  ] as const;
}

export async function openTestPostgres(): Promise<Database> {
  const fresh = await migratedDatabase();
  const database = await openServerOrCluster(fresh.url);
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
}
