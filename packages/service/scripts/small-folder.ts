import { PGlite } from "@electric-sql/pglite";
import type { Database } from "../src/storage/database.ts";
import { pgliteDatabase } from "../src/storage/engines/pglite.ts";
import { migrate } from "../src/storage/migrate.ts";

/** A migrated, empty PGlite whose folder can be packed small. */
export interface SmallFolder {
  database: Database;
  /** Packs the folder as a tar archive. The database can be read afterwards; the process cannot create another. */
  archive(): Promise<Uint8Array>;
}

export async function makeSmallFolder(): Promise<SmallFolder> {
  // Segments of 1 MiB instead of 16 keep the log of a small database small.
  const engine = await PGlite.create({ initDbStartParams: ["--wal-segsize=1"] });
  const database = await pgliteDatabase(engine);
  await migrate(database);
  const archive = async () => {
    // The templates of new databases are two thirds of the folder, and the service creates no database.
    await database.execute("UPDATE pg_database SET datistemplate = false");
    for (const name of ["template0", "template1"]) await database.execute(`DROP DATABASE ${name}`);
    await database.execute("CHECKPOINT");
    return (await engine.dumpDataDir("none")).bytes();
  };
  return { database, archive };
}
