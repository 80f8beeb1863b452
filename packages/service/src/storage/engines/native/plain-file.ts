import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../../system/thrown.ts";

/** Bytes that are read; the files of PostgreSQL that the service reads have a few lines. */
const most = 4_096;

/** The errors of opening a missing file, a link or a socket. */
const notPlain = ["ENOENT", "ELOOP", "ENXIO"];

/**
 * Reads the beginning of a small file in a folder that another user may change while root reads it. Returns an empty
 * text unless it is an ordinary file with one name: follows no link, and doesn't block on a pipe.
 */
export function readPlainFile(file: string): string {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (notPlain.includes(errorCode(error))) return "";
    throw error;
  }
  try {
    const found = fstatSync(opened);
    if (!found.isFile() || found.nlink !== 1) return "";
    const content = Buffer.alloc(most);
    return content.toString("utf8", 0, readSync(opened, content));
  } finally {
    closeSync(opened);
  }
}
