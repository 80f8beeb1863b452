import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";

/** Written by `npm run generate`. */
const file = join(import.meta.dirname, "migrated-folder.tar.zst");

/** Bytes as they are: a `Blob` of Node copies them twice, in small pieces. */
class Archive extends Blob {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(this.#bytes).buffer;
  }
}

/** Reads the archive of a PGlite folder whose database has all migrations and no rows. */
export async function migratedFolder(): Promise<Blob> {
  return new Archive(await promisify(zstdDecompress)(await readFile(file)));
}
