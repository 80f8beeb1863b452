import { existsSync, lstatSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedUnusable } from "../embedded-errors.ts";
import type { Binaries } from "./binaries.ts";
import { readPlainFile } from "./plain-file.ts";
import { majorOf } from "./postgres-versions.ts";
import { run } from "./run.ts";
import type { ServerUser, UserIds } from "./server-user.ts";
import { type Socket, socketPort } from "./socket.ts";

/** The database's superuser, without a password: anyone who can open the socket may do everything. */
export const superuser = "lading";

/** Returns the server's data folder, inside the embedded database's folder. */
export const clusterFolder = (database: string) => join(database, "postgresql");

/** True when the embedded database's folder has a native PostgreSQL one. */
export const hasCluster = (database: string) => existsSync(join(clusterFolder(database), "PG_VERSION"));

/**
 * Creates a database if there is none. Checks an existing one's version, and hands it to the server's user.
 * @throws EmbeddedUnusable for another version, or without space to create one
 */
export async function prepareCluster(
  database: string,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  const cluster = clusterFolder(database);
  if (!hasCluster(database)) return initialise(database, binaries, user);
  const version = /^[\d.]{1,9}(?=\s*$)/.exec(readPlainFile(join(cluster, "PG_VERSION")));
  const made = version?.[0] ?? "of an unknown version";
  if (made !== String(majorOf(binaries.version))) throw otherVersion(database, made, binaries);
  // A backup may have been restored with other rights.
  if (user !== undefined && lstatSync(cluster).uid !== user.uid) await giveTo(user, cluster);
  await run("chmod", ["0700", cluster], { user });
}

function otherVersion(database: string, made: string, { setting, version }: Binaries): EmbeddedUnusable {
  const [owner, advice] =
    setting === undefined
      ? [
          "this version of Lading has",
          "Start the version of Lading that made it, or move the data with that version (`lading move-data`)",
        ]
      : [`${setting} names`, `Name the programs of PostgreSQL ${made} there`];
  return new EmbeddedUnusable(
    `The embedded database in ${database} was made by PostgreSQL ${made}, and ${owner} PostgreSQL ${version}, which ` +
      `cannot read it. ${advice}, or name another folder with --data-dir.`,
  );
}

/**
 * Hands a folder and its content to a user. `chown` does it because it follows no links, not even those that replace a
 * folder meanwhile.
 */
async function giveTo({ uid, gid }: UserIds, folder: string): Promise<void> {
  const { code, stderr } = await run("chown", ["-R", "-P", "-h", `${uid}:${gid}`, folder], {
    user: undefined,
  });
  if (code !== 0) throw new Error(`${folder} cannot be handed to user ${uid}: ${stderr.trim()}`);
}

/**
 * Sorts by code points, like PGlite, and knows the letters of all languages on every platform; before PostgreSQL 17
 * only if the platform has the locale.
 */
const localeOf = (version: string) =>
  majorOf(version) < 17
    ? ["--encoding=UTF8", "--locale=C.UTF-8"]
    : ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
const access = [`--username=${superuser}`, "--auth-local=trust", "--auth-host=reject"];

/** Creates a database under a temporary name first, so that an unfinished one is never used. */
async function initialise(database: string, binaries: Binaries, user: ServerUser | undefined): Promise<void> {
  const unfinished = `${clusterFolder(database)}.new`;
  const removeUnfinished = () => run("rm", ["-rf", unfinished], { user });
  await removeUnfinished();
  const args = [`--pgdata=${unfinished}`, "--no-instructions", ...localeOf(binaries.version), ...access];
  const { code, stderr } = await run(binaries.initdb, args, { user, environment: binaries.environment });
  if (code !== 0) {
    await removeUnfinished();
    if (/No space left on device|Disk quota exceeded/.test(stderr))
      throw new EmbeddedUnusable(
        `The disk of ${database} is full: there is no space for a new database. ` +
          "Make space, or name another folder with --data-dir.",
      );
    throw new Error(`initdb failed: ${stderr.trim().replace(/\s*\n\s*/g, "; ")}`);
  }
  await rename(unfinished, clusterFolder(database));
  const folder = await open(database, "r");
  await folder.sync().finally(() => folder.close());
}

/** Session settings that load code; a foreign database may have set them for its user. */
const sessionCode = {
  session_preload_libraries: "",
  local_preload_libraries: "",
  dynamic_library_path: "$libdir",
};

/** The connections' `options`, which override settings of a database or user. */
export const sessionOptions = flagsOf(sessionCode).join(" ");

/**
 * Settings that make a server load code, run programs, or write files elsewhere. A foreign folder may set any of them
 * in its postgresql.conf and postgresql.auto.conf, which these override.
 */
const foreignCode = (major: number) => ({
  ...sessionCode,
  shared_preload_libraries: "",
  archive_mode: "off",
  archive_command: "",
  archive_library: "",
  restore_command: "",
  archive_cleanup_command: "",
  recovery_end_command: "",
  ssl: "off",
  ssl_passphrase_command: "",
  jit_provider: "llvmjit",
  external_pid_file: "",
  logging_collector: "off",
  ...(major >= 18 && { extension_control_path: "$system", oauth_validator_libraries: "" }),
});

/**
 * The server's settings, overriding postgresql.conf: for one service on a laptop. `fsync` stays on, so that committed
 * data survives a power cut.
 */
export function serverFlags(database: string, socket: Socket, version: string): string[] {
  const major = majorOf(version);
  const settings = {
    ...foreignCode(major),
    listen_addresses: "",
    unix_socket_directories: `"${socket.folder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    port: socketPort,
    cluster_name: "lading",
    // The service opens 17 connections: 10, one that listens, 2 of plans, 4 of dumps. A move opens one that copies.
    max_connections: 24,
    shared_buffers: "96MB",
    max_wal_size: "512MB",
    // Neither replicas nor parallel queries: each would hold memory, which a container may have little of.
    wal_level: "minimal",
    max_wal_senders: 0,
    max_parallel_workers_per_gather: 0,
    jit: "off",
    ...(major >= 18 && { io_method: "sync" }),
    log_min_messages: "log",
    log_checkpoints: "off",
    log_line_prefix: "",
  };
  return ["-D", clusterFolder(database), ...flagsOf(settings)];
}

function flagsOf(settings: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
