import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The mode of folders that only their owner may use. */
const ownerOnly = 0o700;
const others = 0o077;

/** A file in each data folder that Lading made itself, and therefore keeps to its owner. */
const marker = ".made-by-lading";
const markerText =
  "Lading made this folder. At each start it gets the mode 0700 again; remove this file to share it.\n";

/**
 * Makes a folder for its owner alone, and those above it that are missing; true if it was not there. Throws what the
 * file system does. (Node's own recursive `mkdir` never returns where the system refuses folders as in /proc.)
 */
export function makeFolder(path: string): boolean {
  if (existsSync(path) && statSync(path).isDirectory()) return false;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path) && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, ownerOnly);
    return true;
  } catch (error) {
    const byAnother = existsSync(path) && statSync(path).isDirectory();
    if (byAnother) return false;
    throw error;
  }
}

/** Makes a folder in the data folder; one that is there is its owner's alone again. Throws when it cannot be used. */
export function ownFolder(path: string): void {
  makeFolder(path);
  if (isOpen(path)) chmodSync(path, ownerOnly);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/**
 * Makes the data folder, or makes sure that it can be written; then it is its owner's alone, if Lading made it. True
 * when others may look into it: somebody else made it, and may share it on purpose. Throws when it cannot be used.
 */
export function openDataFolder(path: string): boolean {
  const made = makeFolder(path);
  const probe = join(path, `.probe-${randomUUID()}`);
  writeFileSync(probe, "", { flag: "wx", mode: 0o600 });
  rmSync(probe);
  if (made) writeFileSync(join(path, marker), markerText, { mode: 0o600 });
  if (existsSync(join(path, marker))) ownFolder(path);
  return isOpen(path);
}

const isOpen = (path: string) => (statSync(path).mode & others) !== 0;
