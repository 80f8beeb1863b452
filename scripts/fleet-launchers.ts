import { readFileSync } from "node:fs";

/** Milliseconds between two looks. */
const interval = 500;

/**
 * Waits until one of the processes that started this one is gone: its parent and, where there is /proc, those between
 * it and npm. A signal to npm or to a shell does not reach this process, nor does a `kill -9`.
 */
export function launcherEnds(): Promise<void> {
  const launchers = [process.ppid, ...launchersAbove(process.ppid)];
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === launchers[0] && launchers.every(isRunning)) return;
      clearInterval(timer);
      resolve();
    }, interval);
    timer.unref();
  });
}

/** Lists the ancestors of a process up to the npm that runs it; none when npm does not. */
function launchersAbove(pid: number): number[] {
  const above: number[] = [];
  for (let next = parentOf(pid); next > 1; next = parentOf(next)) {
    above.push(next);
    if (commandOf(next).startsWith("npm ")) return above;
  }
  return [];
}

/** Returns 0 where it cannot be found out. */
function parentOf(pid: number): number {
  // The command, in parentheses, may contain anything; the state and the parent follow it.
  return Number(/^.*\) \S (\d+) /s.exec(read(pid, "stat"))?.[1] ?? 0);
}

const commandOf = (pid: number) => read(pid, "cmdline").replaceAll("\0", " ");

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Returns true for a process of another user, too, and false for a zombie. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !/\) Z /.test(read(pid, "stat"));
}
