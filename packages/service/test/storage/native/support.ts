import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const program = join(import.meta.dirname, "../../../../../test/support/programs/native-database.ts");

export const isRoot = process.getuid?.() === 0;

/** The process id of the server whose data is in the folder of an embedded database. */
export function serverOf(folder: string): number {
  const file = join(folder, "postgresql", "postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n", 1)[0]) : 0;
}

/** False for a zombie, too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(existsSync("/proc/self") ? readFileSync(`/proc/${pid}/stat`, "utf8") : "");
  } catch {
    return false;
  }
}

/** A process that has an embedded database open, until it is killed. */
export async function owner(folder: string, environment: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const child = fork(program, [folder], {
    env: { ...process.env, ...environment },
    // In its own process group, as a terminal makes one per command.
    detached: true,
  });
  await once(child, "message");
  return child;
}

export async function killGroup(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
  await exited;
}
