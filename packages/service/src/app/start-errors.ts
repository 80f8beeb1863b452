import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type DatabaseAddress, databaseAddress } from "../settings/database-url.ts";
import type { S3Options } from "../settings/settings.ts";
import { freeSpace } from "../storage/engines/disk-space.ts";
import { engineOf } from "../storage/engines/embedded.ts";
import { EmbeddedUnusable } from "../storage/engines/embedded-errors.ts";
import { FolderLocked } from "../storage/engines/folder-lock.ts";
import { type IgnoredSetting, SettingsRefused, SharedServerProcesses } from "../storage/engines/pooler.ts";
import { NoUsableHost } from "../storage/engines/postgres-hosts.ts";
import { UnknownSchema } from "../storage/migrate.ts";
import { sqlStates } from "../storage/sql-states.ts";
import { FolderIsLink } from "../system/folders.ts";
import { errorCode, errorMessage } from "../system/thrown.ts";

/** A reason the service cannot start. The message says what is wrong and how to fix it. */
class CannotStart extends Error {
  override name = "CannotStart";
}

/** Why the system refuses a file or folder, by error code. */
const fileReasons: Readonly<Record<string, string>> = {
  EACCES: "this user has no right to",
  EPERM: "this user has no right to",
  EROFS: "its file system is read-only",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk quota is exceeded",
  EEXIST: "it is a file",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "it is a folder",
  ENOENT: "its file system takes no such folder",
};

/** Runs work that uses the data folder. @throws CannotStart when the file system refuses it */
export async function withFolder<Result>(
  folder: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    const path = error instanceof Error && "path" in error ? error.path : undefined;
    if (path === undefined && !(code in fileReasons)) throw error;
    const refused = existingOf(resolve(typeof path === "string" ? path : folder));
    if (isOfAnother(refused.uid) && /^(EACCES|EPERM)$/.test(code))
      throw new CannotStart(
        `The data folder ${folder} cannot be used: ${refused.path} belongs to user ${refused.uid}, and this is user ` +
          `${process.geteuid?.()} (${code}). Start the service as that user, change the owner of the data folder and of ` +
          "all within with chown -R, or name another folder with --data-dir.",
        { cause: error },
      );
    const location = path === undefined || [path, refused.path].includes(resolve(folder)) ? "" : `: ${path}`;
    throw new CannotStart(
      `The data folder ${folder} cannot be used${location}: ${fileReasons[code] ?? errorMessage(error)} (${code}). ` +
        "Make it writable for the user of the service, or name another folder with --data-dir.",
      { cause: error },
    );
  }
}

/** The file or folder of a path or, where that is missing or out of reach, the nearest folder above, and its owner. */
function existingOf(path: string): { path: string; uid: number } {
  try {
    return { path, uid: lstatSync(path).uid };
  } catch (error) {
    if (dirname(path) === path) throw error;
    return existingOf(dirname(path));
  }
}

const isOfAnother = (uid: number) => ![0, uid, undefined].includes(process.geteuid?.());

/**
 * Runs work that opens the embedded database.
 * @throws FolderIsLink, FolderLocked, UnknownSchema, EmbeddedUnusable, or CannotStart for other problems
 */
export async function embedded<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await withFolder(folder, work);
  } catch (error) {
    if (isExplained(error)) throw error;
    throw new CannotStart(
      `The embedded database in ${folder} cannot be opened: ${errorMessage(error)}. ` +
        "Restore a backup of the data folder, or name another one with --data-dir.",
      { cause: error },
    );
  }
}

/** The size of a new embedded database, of either engine, in bytes. */
const newDatabase = 64 * 1024 ** 2;

/** Checks the free space: opening the database never ends on a full disk. @throws CannotStart when it is too small */
export function requireSpace(dataDir: string, database: string, reserve: number): void {
  const needed = reserve + (engineOf(database) === undefined ? newDatabase : 0);
  const free = freeSpace(dataDir);
  if (reserve === 0 || free >= needed) return;
  const mebibytes = (bytes: number) => `${Math.floor(bytes / 1024 ** 2)} MiB`;
  throw new CannotStart(
    `The disk of ${dataDir} is full: ${mebibytes(free)} are free, ` +
      `and the embedded database needs ${mebibytes(needed)}. ` +
      "Make space, or set LADING_DISK_RESERVE to less.",
  );
}

/** Runs work that opens the object store. @throws CannotStart for a folder or bucket that cannot be used */
export async function storing<Result>(
  dataDir: string | undefined,
  s3: S3Options | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (s3 === undefined) return dataDir === undefined ? work() : withFolder(dataDir, work);
  return work().catch((error: Error) => {
    throw new CannotStart(`The object store cannot be used: ${error.message}. Its settings are LADING_S3_…`, {
      cause: error,
    });
  });
}

const isExplained = (error: unknown) =>
  [CannotStart, EmbeddedUnusable, FolderIsLink, FolderLocked, UnknownSchema].some(
    (kind) => error instanceof kind,
  );

/**
 * Runs work that listens on an address. `setting` names the port's setting in messages.
 * @throws CannotStart for an address that cannot be used
 */
export async function listening<Result>(
  { host, port, setting }: { host: string; port: number; setting: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    const reasons: Record<string, string> = {
      EADDRINUSE:
        `Port ${port} of ${host} is in use by another process (${code}). ` +
        `Stop it, or choose another port with ${setting}.`,
      EACCES: `This user may not listen on port ${port} (${code}). Choose one from 1024 on with ${setting}.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine (${code}). Name one of its own with --host.`,
    };
    throw new CannotStart(
      reasons[code] ??
        `The service cannot listen on ${host}: ${errorMessage(error)}. Name an address of this machine with --host.`,
      { cause: error },
    );
  }
}

/**
 * Runs work that connects to the database of a URL. `timeoutMs` is the client's connection timeout; `option` names the
 * setting that has the address.
 * @throws CannotStart for a database that cannot be used
 */
export async function asking<Result>(
  url: string,
  timeoutMs: number,
  work: () => Promise<Result>,
  option = "--database-url or LADING_DATABASE_URL",
): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    if (isExplained(error)) throw error;
    const late = performance.now() - began >= timeoutMs;
    throw new CannotStart(
      `${databaseReason(databaseAddress(url), causeOf(error), late ? timeoutMs : undefined)} ` +
        `The address of the database is ${option}.`,
      { cause: error },
    );
  }
}

/** Says what to do about settings of connections that are not in effect; undefined without any. */
export function ignoredSettings(url: string, settings: readonly IgnoredSetting[]): string | undefined {
  if (settings.length === 0) return undefined;
  const { user } = databaseAddress(url);
  const names = settings.map(({ name, value, wanted }) => `${name} is ${value} instead of ${wanted}`);
  const statements = settings.map(
    ({ name, wanted }) => `ALTER ROLE "${user.replaceAll('"', '""')}" SET ${name} = '${wanted}';`,
  );
  return (
    `A pooler before the database ignores settings of connections: ${names.join(", ")}. ` +
    `Set them for the user, and restart the pooler: ${statements.join(" ")}`
  );
}

/** Returns the cause of a failed connection; if several addresses were tried, that of the first. */
function causeOf(error: unknown): unknown {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && "errors" in cause && Array.isArray(cause.errors)
    ? (cause.errors[0] ?? cause)
    : cause;
}

function databaseReason({ hosts, user, database }: DatabaseAddress, error: unknown, late?: number): string {
  if (error instanceof NoUsableHost)
    return `${error.message}. Start the primary, promote a standby, or correct the address.`;
  const server = hosts.map(({ name }) => name).join(" or ");
  if (error instanceof SharedServerProcesses)
    return (
      `A pooler in transaction or statement mode listens at ${server}: locks and notifications would be lost. ` +
      "Connect to PostgreSQL itself, or set the pooler to session mode."
    );
  if (error instanceof SettingsRefused)
    return (
      `A pooler at ${server} refuses the settings of connections (${error.message}). Connect to PostgreSQL itself, or ` +
      `let the pooler ignore them (PgBouncer: ignore_startup_parameters = options) and set them for the user "${user}".`
    );
  const hostname = server.replace(/:\d+$/, "");
  const [code, message] = [errorCode(error), errorMessage(error)];
  const reasons: Record<string, string> = {
    ECONNREFUSED: `No PostgreSQL listens at ${server} (${code}): start it, or correct the address.`,
    ENOTFOUND: `There is no host ${hostname} (${code}): correct the name.`,
    EAI_AGAIN: `The name ${hostname} cannot be resolved now (${code}): check the name server, or use an IP address.`,
    [sqlStates.invalidPassword]: `PostgreSQL at ${server} refuses the password of the user "${user}": correct it.`,
    [sqlStates.invalidAuthorization]:
      `PostgreSQL at ${server} does not let the user "${user}" in (${message}): ` +
      "allow it in pg_hba.conf, or name another.",
    [sqlStates.unknownDatabase]: `PostgreSQL at ${server} has no database "${database}": create it, or name another.`,
    [sqlStates.insufficientPrivilege]:
      `The user "${user}" may not create tables in the database "${database}" (${message}): ` +
      "grant it CREATE on the schema, or name another user.",
    [sqlStates.readOnlyTransaction]: `The database at ${server} is read-only: name the primary server.`,
  };
  const reason = reasons[code];
  if (reason !== undefined) return reason;
  if (late !== undefined)
    return `PostgreSQL at ${server} has not answered for ${late / 1000} seconds: check the server, the network, and a pooler between.`;
  const tls = /^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code);
  if (tls)
    return (
      `The TLS certificate of PostgreSQL at ${server} is not accepted (${code}): ` +
      "name its authority by sslrootcert in the address, or correct sslmode."
    );
  return `The database at ${server} cannot be used: ${message}${code && ` (${code})`}.`;
}
