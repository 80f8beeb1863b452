import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundleFolder } from "./broker.ts";

/** The command: bundled, as users have it, unless this is not a run of tests. */
export const bin = join(
  (await bundleFolder()) ?? join(import.meta.dirname, "../../packages/cli"),
  "bin/lading.cjs",
);

/** The Node of this process, and the command. */
const command: readonly [node: string, file: string] = [process.execPath, bin];

export interface Finished {
  code: number | null;
  /** The signal that ended it, if one did. */
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Runs `lading` in a process of its own, to its end; `meanwhile` may act on the process. */
export async function lading(
  args: readonly string[],
  env: Record<string, string> = {},
  meanwhile: (child: ChildProcess) => unknown = () => {},
): Promise<Finished> {
  const child = start(args, env);
  const [end] = await Promise.all([finished(child), meanwhile(child)]);
  return end;
}

/** A `lading serve` in a process of its own. */
export interface Serving {
  url: string;
  /** The end of the process, however it comes. */
  ended: Promise<Finished>;
  /** SIGTERM; returns how the process ended. */
  stop(): Promise<Finished>;
  signal(name: NodeJS.Signals): void;
  /** Waits for output on stderr; returns the match. */
  said(what: RegExp): Promise<RegExpExecArray>;
}

/** Starts `lading serve` on a free port and waits until it is ready. */
export async function serve(
  args: readonly string[],
  env: Record<string, string> = {},
  program = command,
): Promise<Serving> {
  const child = start(["serve", "--port", "0", "--log-level", "warn", ...args], env, program);
  const end = finished(child);
  let told = "";
  child.stderr?.on("data", (chunk) => {
    told += chunk;
  });
  const said = async (what: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = what.exec(told);
      if (match !== null) return match;
      await once(child.stderr!, "data");
    }
  };
  const url = await Promise.race([
    said(/ready at (\S+)/).then(([, address]) => address!),
    end.then(({ stderr }) => {
      throw new Error(`lading serve ended before it was ready:\n${stderr}`);
    }),
  ]);
  const stop = () => {
    child.kill("SIGTERM");
    return end;
  };
  return { url, ended: end, stop, signal: (name) => void child.kill(name), said };
}

function start(args: readonly string[], env: Record<string, string>, [node, file] = command): ChildProcess {
  return spawn(node, [file, ...args], { env: { ...process.env, ...env } });
}

/** Starts `lading` under a shell, as npx does; the process is the shell's. */
export function startInShell(args: readonly string[], env: Record<string, string>): ChildProcess {
  const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(" ");
  // with a command after it the shell stays, rather than becoming the first one
  return spawn("sh", ["-c", `${command}; true`], { env: { ...process.env, ...env } });
}

async function finished(child: ChildProcess): Promise<Finished> {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk) => {
      output[name] += chunk;
    });
  }
  const [code, signal] = await once(child, "close");
  return { code, signal, ...output };
}
