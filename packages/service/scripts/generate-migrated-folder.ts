// Writes the folder of a migrated, empty database, from which services in memory start. A folder that has the schema of
// the migrations already stays as it is: no two runs write the same bytes.
import { writeFile } from "node:fs/promises";
import { constants, zstdCompressSync } from "node:zlib";
import { openPgliteInMemory } from "../src/storage/engines/pglite.ts";
import { describeSchema } from "./describe-schema.ts";
import { makeSmallFolder } from "./small-folder.ts";

const file = new URL("../src/storage/engines/migrated-folder.tar.zst", import.meta.url);

const fresh = await makeSmallFolder();
const existing = await openPgliteInMemory().then(describeAndClose, (error: Error) => error.message);
if (existing === (await describeSchema(fresh.database))) {
  console.log("The migrated folder has the schema of the migrations.");
} else {
  const archive = await fresh.archive();
  const packed = zstdCompressSync(archive, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
  await writeFile(file, packed);
  console.log(`Wrote the migrated folder: ${archive.length} bytes, packed ${packed.length}.`);
}
await fresh.database.close();

async function describeAndClose(database: Awaited<ReturnType<typeof openPgliteInMemory>>): Promise<string> {
  try {
    return await describeSchema(database);
  } finally {
    await database.close();
  }
}
