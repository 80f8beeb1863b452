import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { PostgresBinaries } from "./binaries.ts";

/** A server's programs, its folder (the data is in `data`), and how it is started. */
export interface Cluster {
  binaries: PostgresBinaries;
  folder: string;
  port: number;
  settings: Record<string, string>;
}

/** Kills a server as a crash would. Resolves when its backends have ended, too. */
export async function killServer(running: ChildProcess): Promise<void> {
  const exited = once(running, "exit");
  const backends = childrenOf(running.pid);
  running.kill("SIGKILL");
  await exited;
  // A backend that has not noticed yet would still take a COMMIT.
  while (backends.some(isRunning)) await setTimeout(5);
}

/** The children of a process; none where there is no /proc. */
function childrenOf(pid: number | undefined): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : [];
}

/** Returns false for a zombie, too: nobody may be there to reap an orphan. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Starts again after a kill: the processes of the server that was killed take a moment to notice that it is gone. */
export async function relaunch(cluster: Cluster): Promise<ChildProcess> {
  for (;;) {
    try {
      return await launch(cluster);
    } catch (error) {
      if (!String(error).includes("pre-existing shared memory block")) throw error;
      await setTimeout(100);
    }
  }
}

export async function launch(cluster: Cluster): Promise<ChildProcess> {
  const settings = {
    ...cluster.settings,
    port: String(cluster.port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    log_min_messages: "log",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(cluster.binaries.postgres, ["-D", join(cluster.folder, "data"), ...flags], {
    ...cluster.binaries.user,
    cwd: cluster.folder,
    env: environment(cluster.folder),
    stdio: ["ignore", "ignore", "pipe"],
    detached: true, // Ctrl-C reaches the test runner only; the keeper ends the server
  });
  await logged(child, /ready to accept (read-only )?connections/);
  return child;
}

/** Resolves when a server has logged a line to its standard error; then it no longer keeps this process running. */
export async function logged(child: ChildProcess, line: RegExp): Promise<void> {
  let log = "";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with code ${code}:\n${log}`)));
    child.stderr?.on("data", (chunk) => {
      log = (log + chunk).slice(-10_000);
      if (line.test(log)) resolve();
    });
  });
  child.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}

/**
 * A process that does nothing until its standard input ends, be it by `release` or because this process died;
 * then it ends the servers that have their data in `data`, or in `data` of a subfolder, and removes the folder.
 */
export function keep(folder: string): ChildProcess {
  const script = `
    cat > /dev/null
    pids=
    for file in "$0"/data/postmaster.pid "$0"/*/data/postmaster.pid; do
      pid=$(head -n 1 "$file" 2> /dev/null)
      [ -n "$pid" ] && kill -QUIT "$pid" 2> /dev/null && pids="$pids $pid"
    done
    for pid in $pids; do
      while kill -0 "$pid" 2> /dev/null; do sleep 0.02; done
    done
    rm -rf "$0"`;
  const keeper = spawn("sh", ["-c", script, folder], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  keeper.unref();
  if (keeper.stdin instanceof Socket) keeper.stdin.unref();
  return keeper;
}

export async function release(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null) return;
  keeper.ref();
  const exited = once(keeper, "exit");
  keeper.stdin?.end();
  await exited;
}

export function environment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, LC_ALL: "C", TZ: "UTC" };
}
