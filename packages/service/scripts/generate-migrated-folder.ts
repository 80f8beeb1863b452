// Writes the folder of a migrated, empty database, from which services in memory start. A folder that has the schema of
// the migrations already stays as it is: no two runs write the same bytes.
import { writeFile } from "node:fs/promises";
import { constants, zstdCompressSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { openPgliteInMemory, pgliteDatabase } from "../src/storage/engines/pglite.ts";
import { migrate } from "../src/storage/migrate.ts";
import { describeSchema } from "./describe-schema.ts";

const file = new URL("../src/storage/engines/migrated-folder.tar.zst", import.meta.url);

// Segments of 1 MiB instead of 16 keep the log of a small database small.
const engine = await PGlite.create({ initDbStartParams: ["--wal-segsize=1"] });
const fresh = await pgliteDatabase(engine);
await migrate(fresh);
const existing = await openPgliteInMemory().then(describeAndClose, (error: Error) => error.message);
if (existing === (await describeSchema(fresh))) {
  console.log("The migrated folder has the schema of the migrations.");
} else {
  // The templates of new databases are two thirds of the folder, and the service creates no database.
  await fresh.execute("UPDATE pg_database SET datistemplate = false");
  for (const name of ["template0", "template1"]) await fresh.execute(`DROP DATABASE ${name}`);
  await fresh.execute("CHECKPOINT");
  const archive = await (await engine.dumpDataDir("none")).bytes();
  const packed = zstdCompressSync(archive, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
  await writeFile(file, packed);
  console.log(`Wrote the migrated folder: ${archive.length} bytes, packed ${packed.length}.`);
}
await fresh.close();

async function describeAndClose(database: Awaited<ReturnType<typeof openPgliteInMemory>>): Promise<string> {
  try {
    return await describeSchema(database);
  } finally {
    await database.close();
  }
}
