import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An unlinked temporary file: only this process reads it, and it goes with the process. */
export class Spool {
  readonly #file: number;
  #size = 0;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Makes the file in the system's folder for temporary files, for its owner alone, and removes its name. */
  static open(): Spool {
    const folder = mkdtempSync(join(tmpdir(), "lading-"));
    try {
      return new Spool(openSync(join(folder, "text"), "wx+", 0o600));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  get size(): number {
    return this.#size;
  }

  append(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#size += bytes.length;
  }

  /** Reads the text at an offset, both in bytes. */
  read(offset: number, length: number): string {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file, bytes, done, length - done, offset + done);
      if (count === 0) throw new Error("the temporary file is shorter than what was written to it");
      done += count;
    }
    return bytes.toString();
  }

  close(): void {
    closeSync(this.#file);
  }
}
