import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The mode of folders that only their owner may use. */
const ownerOnly = 0o700;
const others = 0o077;
const othersButPassing = 0o066;

/** The file that marks a data folder as made by Lading, which therefore keeps it private to its owner. */
const marker = ".made-by-lading";
const markerText =
  "Lading made this folder. At each start it gets the mode 0700 again; remove this file to share it.\n";

/**
 * Creates a folder and missing parents, for its owner alone. Returns true if it did not exist. (Node's own recursive
 * `mkdir` never returns where the system refuses folders, as in /proc.)
 * @throws the error of the file system
 */
export function makeFolder(path: string): boolean {
  if (existsSync(path) && statSync(path).isDirectory()) return false;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path) && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, ownerOnly);
    return true;
  } catch (error) {
    const wasMadeMeanwhile = existsSync(path) && statSync(path).isDirectory();
    if (wasMadeMeanwhile) return false;
    throw error;
  }
}

/** A link where the service keeps its data: changes to a folder there would affect another one. */
export class FolderIsLink extends Error {
  override name = "FolderIsLink";
}

/** @throws FolderIsLink when one of the folders, which may be missing, is a link */
export function refuseLinks(paths: readonly string[]): void {
  const linked = paths.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
  if (linked !== undefined)
    throw new FolderIsLink(
      `${linked} is a link, but the service only keeps its data in real folders. Put the folder in its place, or mount it there`,
    );
}

/**
 * Creates a folder in the data folder, or makes an existing one private again.
 * @throws FolderIsLink, and changes nothing; the error of the file system when it cannot be used
 */
export function ownFolder(path: string): void {
  refuseLinks([path]);
  makeFolder(path);
  if (isOpen(path)) chmodSync(path, ownerOnly);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/**
 * Creates the data folder, or checks that it is writable. A folder made by Lading is made private again, except for the
 * right to pass through it, which a database server's user needs. Returns true if other users may list or change it,
 * which is possible only for a folder that Lading did not make.
 * @throws the error of the file system when the folder cannot be used
 */
export function openDataFolder(path: string): boolean {
  const made = makeFolder(path);
  const probe = join(path, `.probe-${randomUUID()}`);
  writeFileSync(probe, "", { flag: "wx", mode: 0o600 });
  rmSync(probe);
  if (made) writeFileSync(join(path, marker), markerText, { mode: 0o600 });
  if (isOpen(path, othersButPassing) && existsSync(join(path, marker))) chmodSync(path, ownerOnly);
  return isOpen(path, othersButPassing);
}

const isOpen = (path: string, rights = others) => (statSync(path).mode & rights) !== 0;
