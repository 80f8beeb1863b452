import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";

/** Written by `npm run generate`. */
const file = join(import.meta.dirname, "migrated-folder.tar.zst");

/** Stored bytes without copying: Node's `Blob` copies them twice, in small pieces. */
class Archive extends Blob {
  readonly #bytes: Promise<Buffer>;

  constructor(bytes: Promise<Buffer>) {
    super();
    this.#bytes = bytes;
    bytes.catch(() => {}); // the reader gets the error
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#bytes).buffer;
  }
}

/**
 * Opens the archive of a PGlite folder whose database has all migrations and no rows. Another thread unpacks it while
 * the engine compiles.
 */
export function migratedFolder(): Blob {
  return new Archive(readFile(file).then(promisify(zstdDecompress)));
}
