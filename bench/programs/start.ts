import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { bundle, manifestOf } from "../../scripts/bundle.ts";
import { startPostgres } from "../../test/support/postgres/postgres.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";

export const values = readOptions({});

const root = join(import.meta.dirname, "../..");
/** Where it finds the packages that a bundle doesn't contain. */
const folder = join(root, "node_modules/.cache/lading-bench");
const bin = join(folder, "bin/lading.cjs");
let built: Promise<void> | undefined;

/** Measures the command as published: its first start, without compiled code and data, and the next. */
export async function* measure(engine: Engine): AsyncIterable<Measured> {
  built ??= build();
  await built;
  const home = await mkdtemp(join(tmpdir(), "lading-start-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  try {
    const started = (...args: string[]) => usageOf(args, home, server?.url);
    const serve = ["serve", "--port", "0", "--data-dir", join(home, "data"), "--engine", engine];
    const database = server === undefined ? serve : serve.slice(0, -2);
    yield { run: "serve, first", figures: await started(...database) };
    yield { run: "serve, again", figures: await started(...database) };
    await started("--version");
    yield { run: "--version", figures: await started("--version") };
  } finally {
    await server?.stop();
    await rm(home, { recursive: true });
  }
}

async function build(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await bundle(join(folder, "dist"));
  await cp(join(root, "packages/cli/bin"), join(folder, "bin"), { recursive: true });
  const manifest = { ...manifestOf("cli"), exports: { "./main": "./dist/main.js" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
}

/** Writes what the process has used, when asked by a signal and when it ends. */
const report = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  const report = () => writeSync(3, JSON.stringify([process.cpuUsage(), process.memoryUsage.rss()]) + "\\n");
  process.on("SIGUSR2", report).on("exit", report);
`)}`;

/** Starts the command, and stops it as soon as it is ready. */
async function usageOf(args: string[], home: string, databaseUrl = ""): Promise<Measured["figures"]> {
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, ["--import", report, bin, ...args], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      XDG_CACHE_HOME: join(home, "cache"),
      ...(databaseUrl && { LADING_DATABASE_URL: databaseUrl }),
    },
  });
  const closed = once(child, "close");
  let seconds: number | undefined;
  let told = "";
  child.stderr?.on("data", (chunk) => {
    told += chunk;
    if (seconds !== undefined || !/ready at/.test(told)) return;
    seconds = (performance.now() - began) / 1000;
    child.kill("SIGUSR2");
  });
  const lines = createInterface({ input: child.stdio[3] as Readable });
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close").then(() => [])]);
  child.kill();
  await closed;
  if (line === undefined) throw new Error(`lading ${args.join(" ")} ended without a report:\n${told}`);
  const [{ user, system }, bytes]: [NodeJS.CpuUsage, number] = JSON.parse(line);
  return {
    "CPU, s": (user + system) / 1e6,
    Seconds: seconds ?? (performance.now() - began) / 1000,
    MiB: bytes / 1024 ** 2,
  };
}
