import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";

/** Written by `npm run generate`. */
const file = join(import.meta.dirname, "migrated-folder.tar.zst");

/** Bytes as they are, once they are there: a `Blob` of Node copies them twice, in small pieces. */
class Archive extends Blob {
  readonly #bytes: Promise<Buffer>;

  constructor(bytes: Promise<Buffer>) {
    super();
    this.#bytes = bytes;
    bytes.catch(() => {}); // whoever reads it is told
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#bytes).buffer;
  }
}

/**
 * Opens the archive of a PGlite folder whose database has all migrations and no rows. It is unpacked by another thread,
 * while the engine compiles.
 */
export function migratedFolder(): Blob {
  return new Archive(readFile(file).then(promisify(zstdDecompress)));
}
