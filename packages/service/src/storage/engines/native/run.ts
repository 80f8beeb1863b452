import { spawn } from "node:child_process";
import type { UserIds } from "./server-user.ts";

interface Finished {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a program to its end, optionally as another user, without inheriting the working folder.
 * @throws Error when it cannot be started
 */
export async function run(
  program: string,
  args: readonly string[],
  { user, environment = {} }: { user: UserIds | undefined; environment?: NodeJS.ProcessEnv },
): Promise<Finished> {
  const child = spawn(program, args, {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: "/",
    env: { ...baseEnvironment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...output }));
  });
}

/** Only our PATH: a server must not depend on who starts the service, nor know its secrets. */
export const baseEnvironment: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
