import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { asking, embedded } from "./start-errors.ts";
import { FolderLocked } from "./storage/folder-lock.ts";
import { checkSchema } from "./storage/migrate.ts";
import { openPglite } from "./storage/pglite.ts";
import { connectionTimeout, openPostgres } from "./storage/postgres.ts";
import { errorMessage } from "./thrown.ts";

/** What there is to say of a database without a service: that it is fine, or what keeps a service from using it. */
export interface DatabaseFinding {
  fine: boolean;
  detail: string;
}

/**
 * Looks at the database that a service would use, and changes nothing of its content. Undefined when there is none yet.
 * The embedded one is opened only if no service has it, and by its owner, whose files it stays made of.
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
    return { fine: true, detail: `${folder} is another user's: it is not looked into` };
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
