import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorCode } from "../../system/thrown.ts";

/** Thrown when another process holds the data folder; the message says which. */
export class FolderLocked extends Error {
  override name = "FolderLocked";
}

/** SQLITE_BUSY. Any other error means that the folder is not writable, rather than locked by another process. */
const sqliteBusy = 5;

/** The lock file: in the folder or, if another user may change the folder, next to it. */
const lockFiles = {
  within: (folder: string) => join(folder, "lock"),
  nextTo: (folder: string) => `${resolve(folder)}-lock`,
} as const;

/** This process's locks: an unreferenced one would be collected, and released. */
const held = new Set<DatabaseSync>();

/**
 * Locks a folder for this process and returns the function that unlocks it. The lock is the operating system's lock on
 * an SQLite file, so a crash releases it on every platform. Only this user may open the file: anyone who can read it
 * can lock it.
 * Throws `FolderLocked` when another process holds the lock, in either location.
 */
export function lockFolder(folder: string, location: keyof typeof lockFiles = "within"): () => void {
  const file = lockFiles[location](folder);
  const other = lockFiles[location === "within" ? "nextTo" : "within"](folder);
  makeFile(file);
  const database = new DatabaseSync(file);
  const begin = "PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE";
  try {
    if (isBusy(database, begin)) throw inUse(folder, file);
    if (isHeld(other)) throw inUse(folder, other);
  } catch (error) {
    database.close();
    throw error;
  }
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(holderFile(file), JSON.stringify(holder));
  held.add(database);
  return () => {
    held.delete(database);
    database.close();
  };
}

/** Creates a file unless it exists. Opening and closing an existing one would release this process's lock on it. */
function makeFile(file: string): void {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** True when a process holds a file's lock. Only reads the file: another user may have put a link there. */
function isHeld(file: string): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return isBusy(database, "PRAGMA schema_version");
  } finally {
    database.close();
  }
}

function isBusy(database: DatabaseSync, sql: string): boolean {
  try {
    database.exec(`PRAGMA busy_timeout = 0; ${sql}`);
    return false;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return true;
    throw error;
  }
}

const inUse = (folder: string, file: string) =>
  new FolderLocked(
    `The database folder ${folder} is in use${describeHolder(holderFile(file))}. ` +
      "Stop that process, or give this one another data folder with --data-dir.",
  );

const holderFile = (file: string) => `${file}-holder.json`;

function describeHolder(file: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(file, "utf8"));
    return ` by process ${pid} on ${host} since ${since}`;
  } catch {
    return "";
  }
}
