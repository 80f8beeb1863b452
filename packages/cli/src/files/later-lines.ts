import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Sink } from "../context.ts";
import { cannotCopy } from "./json-input.ts";

/** The most UTF-16 units that are kept in memory. */
const mostInMemory = 1 << 20;

/** Takes lines that are printed behind others, however many they are: they go to a file that has no name. */
export class LaterLines implements Sink {
  #text = "";
  #file: number | undefined;

  write(line: string): void {
    this.#text += line;
    if (this.#text.length > mostInMemory) this.#store();
  }

  #store(): void {
    try {
      this.#file ??= openNameless();
      writeSync(this.#file, this.#text);
    } catch (error) {
      cannotCopy(error);
    }
    this.#text = "";
  }

  /** Does something that may write lines, and prints them behind what it has printed. */
  async behind<Result>(sink: Sink, act: () => Promise<Result>): Promise<Result> {
    try {
      const result = await act();
      await this.#print(sink);
      return result;
    } finally {
      if (this.#file !== undefined) closeSync(this.#file);
    }
  }

  async #print(sink: Sink): Promise<void> {
    if (this.#file !== undefined) {
      const stored = createReadStream("", { fd: this.#file, start: 0, autoClose: false });
      for await (const line of createInterface(stored)) {
        sink.write(`${line}\n`);
        await sink.drained?.();
      }
    }
    if (this.#text !== "") sink.write(this.#text);
  }
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), "lading-"));
  try {
    return openSync(join(folder, "lines"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
