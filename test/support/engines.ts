import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openPgliteInMemory } from "../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migratedDatabase } from "./database.ts";
import { inRelease } from "./extent.ts";
import { pgliteArchive } from "./postgres/pglite-folder.ts";
import { withoutConstraints } from "./vitest/constraints.ts";

/** An engine to run a suite over: `describe.each(engines)("$name: …", ({ open }) => …)`. */
export interface TestEngine {
  name: string;
  /** Opens a migrated, empty database of its own; `close` removes it. */
  open(): Promise<Database>;
}

const pglite: TestEngine = { name: "PGlite", open: openTestPglite };
const postgresql: TestEngine = { name: "PostgreSQL", open: openTestPostgres };

/** For suites of the port between service and database. */
export const bothEngines: readonly TestEngine[] = withoutConstraints ? [postgresql] : [pglite, postgresql];

/** For all other suites: PostgreSQL in `npm test`, PGlite in `npm run test:release`. */
export const engines: readonly TestEngine[] = [inRelease ? pglite : postgresql];

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
  const database = openPostgres(fresh.url);
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
}
