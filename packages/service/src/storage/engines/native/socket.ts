import { chownSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UserIds } from "./server-user.ts";

/** The server's only address: a socket in a folder that only its user can open. */
export interface Socket {
  readonly folder: string;
  /** True for a folder made for this start, and removed when the server ends. */
  readonly temporary: boolean;
}

/** PostgreSQL names the socket by its port, which is not used otherwise. */
export const socketPort = 5432;
export const socketName = `.s.PGSQL.${socketPort}`;

/** Bytes of a socket's path. Linux takes 107, macOS 103. */
const longestPath = 100;

const isTooLong = (folder: string) => Buffer.byteLength(join(folder, socketName)) > longestPath;

/** Chooses the socket's folder: the database's, or a private temporary one if its path is too long. */
export function socketFor(database: string, user: UserIds | undefined): Socket {
  if (!isTooLong(database)) return { folder: database, temporary: false };
  const parent = isTooLong(join(tmpdir(), "lading-socket-123456")) ? "/tmp" : tmpdir();
  const folder = mkdtempSync(join(parent, "lading-socket-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return { folder, temporary: true };
}
