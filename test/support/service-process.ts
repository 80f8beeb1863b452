import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundleFolder } from "./broker.ts";

/** A service in a process of its own, to be measured or killed. */
export interface ServiceProcess {
  url: string;
  operatorToken: string;
  process: ChildProcess;
  /** The most memory that the process has held so far, in bytes. */
  peakBytes(): Promise<number>;
  /** The memory that its objects and buffers hold, without garbage, in bytes. */
  heapBytes(): Promise<number>;
  /** CPU time of the process so far, in milliseconds of one core. */
  cpuMs(): Promise<number>;
  /** The longest stall of its event loop since the last call, in milliseconds; measured from the first call on. */
  longestStall(): Promise<number>;
  /** Stops it as SIGTERM would. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** Where compiled code is kept for the next process, as `lading serve` keeps it: half of its start is left. */
const compiled = join(import.meta.dirname, "../../node_modules/.cache/lading-tests");

/** `settings` are environment variables, such as `LADING_RATE_LIMIT`; requests are unlimited without that one. */
export async function startServiceProcess(
  dataDir: string,
  databaseUrl?: string,
  settings: Record<string, string> = {},
): Promise<ServiceProcess> {
  const bundle = await bundleFolder();
  const program =
    bundle === undefined ? join(import.meta.dirname, "programs/serve.ts") : join(bundle, "dist/serve.js");
  const child = fork(program, [dataDir, databaseUrl ?? ""], {
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...settings },
  });
  const [started] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [])]);
  if (started === undefined) throw new Error("the service ended before it was ready");
  const ask = async <Answer>(what: string): Promise<Answer> => {
    child.send(what);
    return (await once(child, "message"))[0];
  };
  const usage = () => ask<{ peakBytes: number; cpuMs: number }>("usage");
  return {
    ...started,
    process: child,
    peakBytes: async () => (await usage()).peakBytes,
    heapBytes: async () => (await ask<{ heapBytes: number }>("heap")).heapBytes,
    cpuMs: async () => (await usage()).cpuMs,
    longestStall: async () => (await ask<{ stallMs: number }>("stalls")).stallMs,
    stop: async () => {
      child.send("stop");
      await once(child, "exit");
    },
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
