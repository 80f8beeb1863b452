import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Thrown when another process holds the data folder; the message says which. */
export class FolderLocked extends Error {
  override name = "FolderLocked";
}

/** SQLITE_BUSY. Any other error means that the folder cannot be written, not that another process has it. */
const sqliteBusy = 5;

/**
 * Locks a folder for this process and returns the function that unlocks it.
 * The lock is the operating system's lock on an SQLite file, so a crash releases it on every platform. Only this user
 * may open the file: who can read it can lock it.
 * Throws `FolderLocked` when another holds it.
 *
 * @param file the file of the lock; its path is also the beginning of that of the file that names the holder
 */
export function lockFolder(folder: string, file = join(folder, "lock")): () => void {
  writeFileSync(file, "", { flag: "a", mode: 0o600 });
  const database = new DatabaseSync(file);
  const holder = `${file}-holder.json`;
  try {
    database.exec(
      "PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
    );
  } catch (error) {
    database.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === sqliteBusy)) throw error;
    throw new FolderLocked(
      `The data folder ${folder} is in use${describeHolder(holder)}. ` +
        "Stop that process, or give this one another folder with --data-dir.",
    );
  }
  writeFileSync(
    holder,
    JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() }),
  );
  return () => database.close();
}

function describeHolder(file: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(file, "utf8"));
    return ` by process ${pid} on ${host} since ${since}`;
  } catch {
    return "";
  }
}
