import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { FolderLocked } from "../storage/engines/folder-lock.ts";
import { openPglite } from "../storage/engines/pglite.ts";
import { connectionTimeout, openPostgres } from "../storage/engines/postgres.ts";
import { checkSchema } from "../storage/migrate.ts";
import { errorMessage } from "../system/thrown.ts";
import { asking, embedded } from "./start-errors.ts";

/** The result of examining a database: it is fine, or `detail` says what keeps a service from using it. */
export interface DatabaseFinding {
  fine: boolean;
  detail: string;
}

/**
 * Examines the database that a service would use, without changing its content. Returns undefined when there is none
 * yet. The embedded database is opened only by its owner, so that no file changes its owner, and only while no service
 * uses it.
 *
 * @param databaseUrl a PostgreSQL connection string; without it, the embedded database of `dataDir` is examined
 */
export async function examineDatabase({
  dataDir,
  databaseUrl,
}: {
  dataDir: string;
  databaseUrl?: string | undefined;
}): Promise<DatabaseFinding | undefined> {
  const folder = join(dataDir, "database");
  if (databaseUrl === undefined && !existsSync(join(folder, "pglite"))) return undefined;
  if (databaseUrl === undefined && statSync(folder).uid !== process.geteuid?.())
    return { fine: true, detail: `${folder} belongs to another user and is not examined` };
  try {
    if (databaseUrl === undefined) await embedded(folder, async () => checked(await openPglite(folder)));
    else await asking(databaseUrl, connectionTimeout, () => checked(openPostgres(databaseUrl)));
    return { fine: true, detail: "this version of Lading can use its schema" };
  } catch (error) {
    return { fine: error instanceof FolderLocked, detail: errorMessage(error) };
  }
}

async function checked(database: ReturnType<typeof openPostgres>): Promise<void> {
  await checkSchema(database).finally(() => database.close());
}
