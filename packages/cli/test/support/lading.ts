import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Context } from "../../src/context.ts";
import { main } from "../../src/main.ts";

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the CLI in this process, as a script would: no terminal, unless `io` says so. */
export async function lading(args: string[], io: Partial<Context> = {}): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
    ...(io[name] ?? {}),
  });
  const signal = new AbortController().signal;
  const code = await main(args, {
    interrupted: signal,
    ...io,
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  return { code, ...written };
}

/** Makes an empty folder for one test, and clears the environment of everything but its credentials file. */
export async function cleanEnvironment(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lading-cli-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("LADING_")) vi.stubEnv(name, undefined);
  }
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("npm_command", undefined);
  vi.stubEnv("LADING_CREDENTIALS", join(folder, "credentials.json"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return folder;
}

export async function writeInto(folder: string, name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
