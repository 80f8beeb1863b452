import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./folders.ts";
import { errorCode } from "./thrown.ts";

/**
 * Reads a secret of the service from its data folder, where only its owner may read it (mode 0600). Creates a missing
 * one from 32 random bytes, in hex.
 * @throws Error when the file is not an ordinary one, or empty: an empty operator's token would let everyone in
 */
export function secretFile(folder: string, name: string): string {
  const file = join(folder, name);
  makeFolder(folder);
  const secret = read(file) ?? create(file);
  if (!secret) throw new Error(`${file} is empty; delete it, and a new secret is made at the next start`);
  return secret;
}

/** Reads a secret of a data folder; undefined when it has none. @throws Error when it is not an ordinary file */
export const existingSecret = (folder: string, name: string): string | undefined => read(join(folder, name));

/** Keeps a secret in a data folder, unless the folder has one. Returns the one it has then. */
export function keepSecret(folder: string, name: string, secret: string): string | undefined {
  const file = join(folder, name);
  return read(file) ?? create(file, secret);
}

/** Follows no link and blocks on no pipe: a data folder may come from elsewhere. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function read(file: string): string | undefined {
  let opened: number;
  try {
    opened = openSync(file, openFlags);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    throw ["ELOOP", "ENXIO"].includes(code) ? notPlain(file) : error;
  }
  try {
    if (!fstatSync(opened).isFile()) throw notPlain(file);
    return readFileSync(opened, "utf8").trim();
  } finally {
    closeSync(opened);
  }
}

const notPlain = (file: string) =>
  new Error(
    `${file} is not an ordinary file: put the secret in its place, or name its file with LADING_…_FILE`,
  );

export const newSecret = (): string => randomBytes(32).toString("hex");

/** Creates the file with its content in one step, so that neither a crash nor another process sees half of it. */
function create(file: string, secret = newSecret()): string | undefined {
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, `${secret}\n`, {
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
