import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A service in a process of its own, to be measured or killed. */
export interface ServiceProcess {
  url: string;
  operatorToken: string;
  process: ChildProcess;
  /** The most memory that the process has held so far, in bytes. */
  peakBytes(): Promise<number>;
  /** How long it has computed so far, in milliseconds of one core. */
  cpuMs(): Promise<number>;
  /** Stops it as SIGTERM would. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export async function startServiceProcess(dataDir: string, databaseUrl?: string): Promise<ServiceProcess> {
  const child = fork(join(import.meta.dirname, "serve.ts"), [dataDir, databaseUrl ?? ""]);
  const [started] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [])]);
  if (started === undefined) throw new Error("the service ended before it was ready");
  const usage = async (): Promise<{ peakBytes: number; cpuMs: number }> => {
    child.send("usage");
    return (await once(child, "message"))[0];
  };
  return {
    ...started,
    process: child,
    peakBytes: async () => (await usage()).peakBytes,
    cpuMs: async () => (await usage()).cpuMs,
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
