import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./folders.ts";
import { errorCode } from "./thrown.ts";

/**
 * A secret of the service itself, kept in its data folder for its owner's eyes only (mode 0600).
 * Made of 32 random bytes, in hex, when it is not there yet. Throws when the file is there but empty: an empty
 * operator's token would let everybody in.
 */
export function secretFile(folder: string, name: string): string {
  const file = join(folder, name);
  makeFolder(folder);
  const secret = read(file) ?? create(file);
  if (!secret) throw new Error(`${file} is empty; delete it, and a new secret is made at the next start`);
  return secret;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    return undefined;
  }
}

/** The name appears with its content, in one step: neither a crash nor a process that reads too soon leaves or sees half of it. */
function create(file: string): string | undefined {
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, `${randomBytes(32).toString("hex")}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    linkSync(temporary, file);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return read(file);
}
