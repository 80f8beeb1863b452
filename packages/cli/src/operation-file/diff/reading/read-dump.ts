import { DumpReader, type IndexedDump, InvalidDump } from "@lading/transform/internal/diff";
import { CliError } from "../../../exit.ts";
import { Spool } from "../../../files/spool.ts";
import type { DumpEnd } from "../../../service/dump-lines.ts";

/** A dump in a temporary file. */
export interface SpooledDump extends IndexedDump {
  readonly spool: Spool;
}

/**
 * Reads a dump into a temporary file, and indexes it. `end` has what the dump reports when `text` has ended.
 *
 * @throws CliError when it has anything that no dump has
 */
export async function readDump(text: AsyncIterable<string>, end: DumpEnd): Promise<SpooledDump> {
  const spool = Spool.open();
  const reader = new DumpReader(spool);
  try {
    for await (const lines of text) {
      spool.append(lines);
      reader.add(lines);
    }
    return { ...reader.end(end.omissions), spool };
  } catch (error) {
    spool.close();
    throw error instanceof InvalidDump ? new CliError(error.message) : error;
  }
}
