import { Duplex } from "node:stream";
import type { Worker } from "node:worker_threads";

/**
 * The connection of a `pg` client to a database in a worker thread that is ready. It is connected as soon as that is
 * asked for, ends the thread when it is ended itself, and is destroyed when the thread dies.
 */
export class WorkerStream extends Duplex {
  readonly #worker: Worker;

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    worker.on("message", (bytes: Uint8Array<ArrayBuffer>) => this.push(Buffer.from(bytes.buffer)));
    worker.on("error", (error) => this.destroy(error));
    worker.on("exit", () => {
      if (this.writableEnded) this.push(null);
      else this.destroy(new Error("the thread of the database has ended"));
    });
  }

  connect(): void {
    process.nextTick(() => this.emit("connect"));
  }

  setNoDelay(): void {}

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#post([bytes]);
    done();
  }

  /** Statements that are asked for together go together. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#post(chunks.map(({ chunk }) => chunk));
    done();
  }

  #post(chunks: readonly Buffer[]): void {
    const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#worker.postMessage(bytes, [bytes.buffer]);
  }

  override _final(done: () => void): void {
    this.#worker.once("exit", () => done());
    this.#worker.postMessage(null);
  }
}
