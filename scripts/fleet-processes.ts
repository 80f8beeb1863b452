import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../packages/cli/bin/lading.cjs", import.meta.url));

export interface FleetSettings {
  /** A PostgreSQL. */
  databaseUrl: string;
  /** Holds the operator's token and the signing key; shared by all processes. */
  dataDir: string;
  /** Of the API; 0 takes any free one. */
  port: number;
  /** Further `LADING_…` variables, such as those of a bucket. */
  environment: Readonly<Record<string, string>>;
  /** Processes that run tasks. Default 2. */
  runners?: number;
}

export interface RunningFleet {
  /** The URL the API listens on. */
  url: string;
  runners: readonly ChildProcess[];
  /** Ends all processes as SIGTERM does. */
  stop(): Promise<void>;
}

/** Starts one process that serves the API and some that run tasks, each a `lading serve` of its own. */
export async function startFleet(settings: FleetSettings): Promise<RunningFleet> {
  const api = serve("api", settings.port, settings);
  const runners: ChildProcess[] = [];
  try {
    const url = await readyAt(api);
    for (let i = 0; i < (settings.runners ?? 2); i++) runners.push(serve("runner", 0, settings));
    await Promise.all(runners.map(readyAt));
    return { url, runners, stop: () => end([api, ...runners]) };
  } catch (error) {
    await end([api, ...runners]);
    throw error;
  }
}

function serve(role: "api" | "runner", port: number, settings: FleetSettings): ChildProcess {
  const { databaseUrl, dataDir, environment } = settings;
  const options = ["--role", role, "--port", String(port), "--data-dir", dataDir, "--log-level", "warn"];
  // With this variable a process watches its parent, and stops if that disappears.
  const watching = { npm_command: "exec" };
  const env = { ...process.env, ...environment, LADING_DATABASE_URL: databaseUrl, ...watching };
  return spawn(process.execPath, [bin, "serve", ...options], { env, stdio: ["ignore", "inherit", "pipe"] });
}

/** Waits for the line that says where a process listens. */
async function readyAt(child: ChildProcess): Promise<string> {
  let text = "";
  const ended = once(child, "exit").then(() => {
    throw new Error(`a process of the fleet ended before it was ready:\n${text}`);
  });
  const ready = new Promise<string>((resolve) => {
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      const url = /ready at (\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  ended.catch(() => {});
  return Promise.race([ready, ended]);
}

async function end(children: readonly ChildProcess[]): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const exits = running.map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(exits);
}
