import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { clusterFolder } from "../../packages/service/src/storage/engines/native/cluster.ts";
import type { KillableDatabase } from "./fleet.ts";

/** The server of a native embedded database, which its service starts again whenever it is killed. */
export function embeddedServer(dataDir: string): Omit<KillableDatabase, "url"> {
  const file = join(clusterFolder(join(dataDir, "database")), "postmaster.pid");
  let killed = 0;
  return {
    async kill() {
      killed = serverIn(file).pid;
      if (killed > 0) process.kill(killed, "SIGKILL");
    },
    async restart() {
      for (let next = serverIn(file); next.pid === killed || !next.ready; next = serverIn(file))
        await setTimeout(20);
    },
  };
}

/** Reads the process id and the state of a server from its file; 0 when there is none. */
function serverIn(file: string): { pid: number; ready: boolean } {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return { pid: Number(lines[0]), ready: lines[7]?.trim() === "ready" };
  } catch {
    return { pid: 0, ready: false };
  }
}
