import { bytesText } from "../../../ui/format.ts";

/** Bytes are handed to the browser in blobs of this size, which it keeps out of the heap. */
const partBytes = 4 * 1024 ** 2;

/** Collects a file's JSON outside of the heap. */
export class BlobWriter {
  bytes = 0;
  readonly #maxBytes: number;
  readonly #parts: Blob[] = [];
  #held: Uint8Array<ArrayBuffer>[] = [];
  #kept = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk. Throws if there are more than `maxBytes` bytes then. */
  add(chunk: Uint8Array<ArrayBuffer>): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#maxBytes)
      throw new Error(`The file has more than ${bytesText(this.#maxBytes)} of JSON, this tenant’s limit`);
    this.#held.push(chunk);
    if (this.bytes - this.#kept >= partBytes) this.#keep();
  }

  end(): Blob {
    this.#keep();
    return new Blob(this.#parts);
  }

  #keep(): void {
    this.#parts.push(new Blob(this.#held));
    this.#held = [];
    this.#kept = this.bytes;
  }
}
