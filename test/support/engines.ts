import { inject } from "vitest";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import { startPglite } from "../../packages/service/src/storage/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/postgres.ts";
import { freshDatabase } from "./database.ts";

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
  const response = await fetch(inject("pgliteBroker"));
  if (!response.ok) throw new Error(await response.text());
  return await startPglite({ loadDataDir: await response.blob() });
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
