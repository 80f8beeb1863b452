import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { errorCode } from "../../../system/thrown.ts";
import { clusterFolder } from "./cluster.ts";

/** Signals by which a server ends, and the milliseconds that each may take: fast, immediate, at once. */
const endings: readonly [NodeJS.Signals, number][] = [
  ["SIGINT", 5_000],
  ["SIGQUIT", 2_000],
  ["SIGKILL", 1_000],
];

/**
 * Ends a server that still has the database of a folder: that of a service which was killed together with its keeper,
 * or has been killed just now. Call only with the lock of the folder.
 */
export async function endLeftover(database: string): Promise<void> {
  const cluster = clusterFolder(database);
  const file = join(cluster, "postmaster.pid");
  const pid = Number(/^\d{1,10}$/m.exec(readPidFile(file))?.[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  for (const [signal, patience] of endings) {
    if (!isServerOf(pid, cluster)) break;
    process.kill(pid, signal);
    for (const began = Date.now(); isServerOf(pid, cluster) && Date.now() - began < patience; )
      await setTimeout(20);
  }
  if (!isServerOf(pid, cluster)) forget(file);
}

/** More than any process id. */
const noProcess = 2 ** 31 - 2;

/**
 * Replaces the process id in the file of a server that has ended: the number may belong to another process by now, or
 * to one that nobody reaps, and PostgreSQL would take it for a server. The rest of the file stays, because there
 * PostgreSQL finds processes that outlive their server.
 */
function forget(file: string): void {
  withPidFile(file, constants.O_RDWR, (opened) => {
    const text = readFileSync(opened, "utf8").replace(/^\d+/, String(noProcess));
    ftruncateSync(opened);
    writeSync(opened, text, 0);
  });
}

function readPidFile(file: string): string {
  return withPidFile(file, constants.O_RDONLY, (opened) => readFileSync(opened, "utf8")) ?? "";
}

/** Opens the file of a process id, if it is one: its owner could put a link or a pipe there, and root may be reading. */
function withPidFile<Result>(
  file: string,
  access: number,
  work: (opened: number) => Result,
): Result | undefined {
  let opened: number;
  try {
    opened = openSync(file, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENXIO"].includes(errorCode(error))) return undefined;
    throw error;
  }
  try {
    const found = fstatSync(opened);
    return found.isFile() && found.nlink === 1 ? work(opened) : undefined;
  } finally {
    closeSync(opened);
  }
}

const isPostgres = (command: string) => /\bpostgres(\s|$)/.test(command);

/** True when a process with this id runs, and is the server of this database. */
function isServerOf(pid: number, cluster: string): boolean {
  const command = commandOf(pid);
  if (!isPostgres(command)) return false;
  const folder = workingFolder(pid);
  return folder === undefined ? `${command} `.includes(` -D ${cluster} `) : folder === realpathSync(cluster);
}

/** The working folder of a process, which for a server is its data; undefined where the system has no /proc. */
function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty when there is none. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    if (existsSync("/proc/self")) return "";
    return spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" }).stdout ?? "";
  }
}
