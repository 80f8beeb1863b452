import { once } from "node:events";
import { readFileSync } from "node:fs";
import { startPostgres } from "../test/support/postgres/postgres.ts";
import { startS3 } from "../test/support/servers/s3.ts";
import { startFleet } from "./fleet-processes.ts";

/**
 * `npm run fleet`: one API and two runners on PostgreSQL and S3, until Ctrl-C, SIGTERM, SIGHUP, or the end of
 * the npm that runs it. Its processes end with it, also after a `kill -9`. Uses LADING_DATABASE_URL and
 * LADING_S3_BUCKET (with its other settings) if they are set; otherwise it starts a temporary PostgreSQL and
 * S3-compatible server from npm packages.
 */
const {
  LADING_DATABASE_URL,
  LADING_S3_BUCKET,
  LADING_DATA_DIR = ".lading",
  LADING_PORT = "4000",
} = process.env;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal));
const interrupted = Promise.race([...signals, launcherEnds()]);
// Without a reader, output fails; the processes are stopped all the same.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
const postgres = LADING_DATABASE_URL ? undefined : await startPostgres({ durable: true });
const s3 = LADING_S3_BUCKET ? undefined : await startS3();
const environment: Record<string, string> = s3
  ? {
      LADING_S3_BUCKET: s3.options.bucket,
      LADING_S3_ENDPOINT: s3.options.endpoint!,
      LADING_S3_ACCESS_KEY_ID: s3.options.accessKeyId!,
      LADING_S3_SECRET_ACCESS_KEY: s3.options.secretAccessKey!,
    }
  : {};
const fleet = await startFleet({
  databaseUrl: LADING_DATABASE_URL || postgres!.url,
  dataDir: LADING_DATA_DIR,
  port: Number(LADING_PORT),
  environment,
});
console.log(`One API and two runners are ready at ${fleet.url} (Ctrl-C ends them).`);
if (postgres || s3)
  console.log("The database and the bucket are temporary: they are removed when this command ends.");
await interrupted;
await fleet.stop();
await s3?.close();
await postgres?.stop();

/**
 * Waits until one of this process's starters is gone: its parent and, with /proc, those between it and npm. A
 * signal to npm or to a shell does not reach this process, nor does a `kill -9`.
 */
function launcherEnds(): Promise<void> {
  const launchers = [process.ppid, ...launchersAbove(process.ppid)];
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === launchers[0] && launchers.every(isRunning)) return;
      clearInterval(timer);
      resolve();
    }, 500);
    timer.unref();
  });
}

/** Lists a process's ancestors up to the npm that runs it; none if npm does not. */
function launchersAbove(pid: number): number[] {
  const above: number[] = [];
  for (let next = parentOf(pid); next > 1; next = parentOf(next)) {
    above.push(next);
    if (commandOf(next).startsWith("npm ")) return above;
  }
  return [];
}

/** Returns 0 if unknown. */
function parentOf(pid: number): number {
  // The command, in parentheses, may contain anything; the state and the parent follow it.
  return Number(/^.*\) \S (\d+) /s.exec(read(pid, "stat"))?.[1] ?? 0);
}

function commandOf(pid: number): string {
  return read(pid, "cmdline").replaceAll("\0", " ");
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Returns true also for another user's process, and false for a zombie. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !/\) Z /.test(read(pid, "stat"));
}
