import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";

/** Parent by process, without zombies, which nobody may reap here. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each)))
    try {
      const [, state, parent] = /^.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      if (state !== "Z" && state !== "X") found.set(Number(name), Number(parent));
    } catch {}
  return found;
}

function descendants(pid: number): number[] {
  const all = parents();
  const below = (parent: number): number[] =>
    [...all].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

describe.skipIf(!existsSync("/proc/self/stat"))("npm run fleet (needs /proc)", () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  async function started(): Promise<{ npm: ChildProcess; all: number[] }> {
    const dataDir = await mkdtemp(join(tmpdir(), "lading-fleet-"));
    folders.push(dataDir);
    const env = { ...process.env, LADING_DATA_DIR: dataDir, LADING_PORT: "0" };
    const npm = spawn("npm", ["run", "fleet"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      let text = "";
      npm.stdout?.on("data", (chunk) => {
        text += chunk;
        if (text.includes("are ready at")) resolve();
      });
      npm.once("exit", () => reject(new Error(`the fleet ended: ${text}`)));
    });
    return { npm, all: [npm.pid as number, ...descendants(npm.pid as number)] };
  }

  test.concurrent.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)(
    "ends with all its processes when its npm gets %s",
    async (signal) => {
      const { npm, all } = await started();
      // npm, its shell or script, the fleet, an API, two runners, and those of PostgreSQL.
      expect(all.length).toBeGreaterThan(7);
      // Ctrl-C on a terminal goes to the whole group; npm alone ignores it.
      process.kill(signal === "SIGINT" ? -(npm.pid as number) : (npm.pid as number), signal);
      const remaining = () => {
        const running = parents();
        return all.filter((pid) => running.has(pid));
      };
      await vi.waitFor(() => expect(remaining()).toEqual([]), { timeout: 40_000, interval: 250 });
    },
  );

  test.concurrent("ends with all its processes when it is itself killed with SIGKILL", async () => {
    const { all } = await started();
    const script = all.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("fleet.ts"));
    process.kill(Math.max(...script), "SIGKILL");
    const running = () => all.filter((pid) => parents().has(pid));
    await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 40_000, interval: 250 });
  });
});
