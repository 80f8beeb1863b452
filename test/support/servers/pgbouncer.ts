import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { logged } from "../postgres/server-process.ts";
import { freePort } from "./port.ts";

/** Where Debian's package `pgbouncer` puts its program. */
const program = "/usr/sbin/pgbouncer";

export const hasPgbouncer = existsSync(program);

/**
 * Starts Debian's PgBouncer in front of the database of a URL, until the test ends; returns the URL behind it.
 * @param settings lines of its section `[pgbouncer]`
 */
export async function startPgbouncer(url: string, settings: Readonly<Record<string, string>>) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), "lading-pgbouncer-"));
  const own = await freePort();
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: own,
    unix_socket_dir: "",
    auth_type: "any",
    ...settings,
  };
  const database = `host=${hostname} port=${port} user=${username} password='${decodeURIComponent(password)}'`;
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, ["[databases]", `* = ${database}`, "[pgbouncer]", ...lines, ""].join("\n"));
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const running = spawn(program, [...asUser, file], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(async () => {
    running.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });
  await logged(running, /process up/);
  return `postgres://${username}@127.0.0.1:${own}${pathname}`;
}
