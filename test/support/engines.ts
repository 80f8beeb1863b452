import { PGlite } from "@electric-sql/pglite";
import { type Database, typeParsers } from "../../packages/service/src/storage/database.ts";
import { pgliteDatabase } from "../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import { freshDatabase } from "./database.ts";
import { pgliteArchive } from "./pglite-folder.ts";

/** An engine to run a suite over: `describe.each(engines)("$name: …", ({ open }) => …)`. */
export interface TestEngine {
  name: string;
  /** Opens a migrated, empty database of its own; `close` removes it. */
  open(): Promise<Database>;
}

export const engines: readonly TestEngine[] = [
  { name: "PGlite", open: openTestPglite },
  { name: "PostgreSQL", open: openTestPostgres },
];

export async function openTestPglite(): Promise<Database> {
  const parsers = Object.fromEntries(typeParsers);
  return pgliteDatabase(await PGlite.create({ loadDataDir: await pgliteArchive(), parsers }));
}

export async function openTestPostgres(): Promise<Database> {
  const fresh = await freshDatabase();
  const database = openPostgres(fresh.url);
  await migrate(database);
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
}
