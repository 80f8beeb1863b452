import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Length of a clock tick in `/proc/<pid>/stat`, in milliseconds: Linux reports 100 ticks a second to programs. */
const tickMs = 10;

/** CPU times of a process in ticks: its own, and those of its children that have ended. */
interface Times {
  parent: string;
  own: number;
  ended: number;
}

async function timesOf(pid: string): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The name of the program, in brackets, may hold spaces; state and parent follow it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields?.[1] === undefined) return undefined;
  const sum = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
  return { parent: fields[1], own: sum(11), ended: sum(13) };
}

/**
 * CPU time that a PostgreSQL server has used so far, all its processes together, in milliseconds of one core; null
 * where the system has no `/proc`. `dataFolder` is the server's data directory.
 */
export async function serverCpuMs(dataFolder: string): Promise<number | null> {
  const pid = (await readFile(join(dataFolder, "postmaster.pid"), "utf8")).split("\n", 1)[0] ?? "";
  const server = await timesOf(pid);
  if (server === undefined) return null;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(timesOf));
  const children = all.filter((times) => times?.parent === pid).reduce((sum, times) => sum + times!.own, 0);
  return (server.own + server.ended + children) * tickMs;
}
