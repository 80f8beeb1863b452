import type { Sink } from "../context.ts";
import { cannotCopy } from "./json-input.ts";
import { Spool } from "./spool.ts";

/** Maximum UTF-16 units kept in memory. */
const mostInMemory = 1 << 20;

/** Buffers lines to print after others; beyond a limit, in a temporary file. */
export class LaterLines implements Sink {
  #text = "";
  #stored: { readonly spool: Spool; readonly lengths: number[] } | undefined;

  write(line: string): void {
    this.#text += line;
    if (this.#text.length > mostInMemory) this.#store();
  }

  #store(): void {
    try {
      this.#stored ??= { spool: Spool.open(), lengths: [] };
      const { spool, lengths } = this.#stored;
      const before = spool.size;
      spool.append(this.#text);
      lengths.push(spool.size - before);
    } catch (error) {
      cannotCopy(error);
    }
    this.#text = "";
  }

  /** Runs `act`, which may write lines, and prints them after its own output. */
  async behind<Result>(sink: Sink, act: () => Promise<Result>): Promise<Result> {
    try {
      const result = await act();
      await this.#print(sink);
      return result;
    } finally {
      this.#stored?.spool.close();
    }
  }

  async #print(sink: Sink): Promise<void> {
    let offset = 0;
    for (const length of this.#stored?.lengths ?? []) {
      sink.write(this.#stored!.spool.read(offset, length));
      await sink.drained?.();
      offset += length;
    }
    if (this.#text !== "") sink.write(this.#text);
  }
}
