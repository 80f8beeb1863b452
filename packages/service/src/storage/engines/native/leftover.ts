import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { clusterFolder } from "./cluster.ts";
import { readPlainFile } from "./plain-file.ts";
import { run } from "./run.ts";
import type { UserIds } from "./server-user.ts";

/** Signals to end a server, and the milliseconds each may take: fast, immediate, kill. */
const endings: readonly [string, number][] = [
  ["INT", 5_000],
  ["QUIT", 2_000],
  ["KILL", 1_000],
];

/**
 * Ends a server that still uses the folder's database: that of a service that was killed together with its keeper, or
 * just now. Call it only with the folder's lock. Root acts as the database's owner: that user can write any process id,
 * and put a link to any folder.
 */
export async function endLeftover(database: string): Promise<void> {
  const cluster = clusterFolder(database);
  const file = join(cluster, "postmaster.pid");
  const pid = Number(/^\d{1,10}(?=\s)/.exec(readPlainFile(file))?.[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const user = ownerForRoot(cluster);
  for (const [signal, patience] of endings) {
    if (!isServerOf(pid, cluster)) break;
    const { code } = await run("/bin/sh", ["-c", 'kill -s "$0" "$1"', signal, String(pid)], { user });
    if (code !== 0) break;
    for (const began = Date.now(); isServerOf(pid, cluster) && Date.now() - began < patience; )
      await setTimeout(20);
  }
  if (!isServerOf(pid, cluster)) await run("/bin/sh", ["-c", forget, file, String(noProcess)], { user });
}

/** The owner of a folder, or of a link in its place, if this process is root's. */
function ownerForRoot(folder: string): UserIds | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  const { uid, gid } = lstatSync(folder);
  return { uid, gid };
}

/** More than any process id. */
const noProcess = 2 ** 31 - 2;

/**
 * Replaces the process id in an ended server's file: the number may meanwhile belong to another process, or to an
 * unreaped one, and PostgreSQL would take it for a server. The rest of the file stays, because PostgreSQL uses it to
 * find processes that outlive their server.
 */
const forget = 'sed "1s/^[0-9]*/$1/" "$0" > "$0.new" && mv -f "$0.new" "$0"';

const isPostgres = (command: string) => /\bpostgres(\s|$)/.test(command);

function isServerOf(pid: number, cluster: string): boolean {
  const command = commandOf(pid);
  if (!isPostgres(command)) return false;
  const folder = workingFolder(pid);
  return folder === undefined ? `${command} `.includes(` -D ${cluster} `) : folder === realpathSync(cluster);
}

/** A process's working folder, which for a server is its data; undefined on systems without /proc. */
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
