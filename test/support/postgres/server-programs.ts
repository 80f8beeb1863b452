import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { PostgresBinaries } from "./binaries.ts";

/** Where Debian's package `postgresql` puts the programs of each version. */
const debianFolder = "/usr/lib/postgresql";

/** The folder of PostgreSQL's own programs: npm's package has no pg_basebackup. */
function programFolder(): string | undefined {
  if (process.env.LADING_PG_BIN) return process.env.LADING_PG_BIN;
  if (!existsSync(debianFolder)) return undefined;
  const [newest] = readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a));
  return newest === undefined ? undefined : join(debianFolder, newest, "bin");
}

/** Says which programs are missing to replicate a server, and what to do; undefined when all are there. */
export function missingServerPrograms(): string | undefined {
  const folder = programFolder();
  const wanted = ["initdb", "postgres", "pg_basebackup"];
  const missing = wanted.filter((name) => folder === undefined || !existsSync(join(folder, name)));
  if (missing.length === 0) return undefined;
  return (
    `${missing.join(", ")} not found in ${folder ?? debianFolder}: ` +
    "install Debian's package postgresql, or set LADING_PG_BIN to the folder of PostgreSQL's programs"
  );
}

/** Finds PostgreSQL's own programs. As root, the user `postgres` runs them. @throws Error that names what is missing */
export function serverPrograms(): PostgresBinaries & { basebackup: string } {
  const [missing, folder] = [missingServerPrograms(), programFolder()];
  if (missing !== undefined || folder === undefined) throw new Error(missing);
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return {
    initdb: join(folder, "initdb"),
    postgres: join(folder, "postgres"),
    basebackup: join(folder, "pg_basebackup"),
    user: process.getuid?.() === 0 ? { uid: id("-u"), gid: id("-g") } : undefined,
  };
}
