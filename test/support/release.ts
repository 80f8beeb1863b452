import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { programs } from "../../bench/program.ts";
import manifest from "../../packages/cli/package.json" with { type: "json" };
import { schemaNumber } from "../fixtures/make/dump.ts";
import { fullSizes, suiteNames } from "../suites/record.ts";

const root = join(import.meta.dirname, "../..");
const execute = promisify(execFile);
export const { version } = manifest;

/** The repository that the packages of tests name. */
export const repository = "example/lading";

/**
 * Clones the repository with the changes of the working folder, committed, and with the dependencies. The commit may be
 * released: it has its tag, made-up rows of suites and of the bench and, made up where they are missing, a section of
 * the change log and a fixture.
 */
export async function cloneForRelease(folder: string): Promise<void> {
  const git = async (cwd: string, ...args: string[]) =>
    (await execute("git", args, { cwd, maxBuffer: 1e9 })).stdout;
  await git(root, "clone", "--quiet", root, folder);
  const changes = await git(root, "diff", "--binary", "HEAD");
  const patch = join(folder, ".git/changes.patch");
  await writeFile(patch, changes);
  if (changes !== "") await git(folder, "apply", patch);
  const added = (await git(root, "ls-files", "--others", "--exclude-standard")).split("\n").filter(Boolean);
  for (const path of added) await cp(join(root, path), join(folder, path));
  const changelog = join(folder, "CHANGELOG.md");
  const text = readFileSync(changelog, "utf8");
  const isDated = text.includes(`\n## [${version}] - `);
  const unreleased = isDated ? /^## \[Unreleased\]\n[\s\S]*?(?=^## )/m : /^## \[Unreleased\]$/m;
  await writeFile(changelog, text.replace(unreleased, isDated ? "" : `## [${version}] - 2027-01-31`));
  const fixture = join(folder, `test/fixtures/${version}-schema-${await schemaNumber()}`);
  await mkdir(fixture, { recursive: true });
  await writeFile(join(fixture, "made-up"), "");
  const author = ["-c", "user.name=test", "-c", "user.email=test@lading.example"];
  const commit = async (message: string) => {
    await git(folder, "add", "--all");
    await git(folder, ...author, "commit", "--quiet", "--allow-empty", "--message", message);
    return (await git(folder, "rev-parse", "HEAD")).slice(0, 12);
  };
  const origin = {
    commit: await commit("Changes of the working folder"),
    node: process.version,
    machine: "a test",
  };
  const write = (path: string, rows: readonly object[]) =>
    writeFile(join(folder, path), JSON.stringify(rows, null, 2));
  const suites = suiteNames.map((program) => ({ program, run: "", version, sizes: fullSizes[program] }));
  const results = Object.keys(programs).map((program) => ({ program }));
  await write(
    "test/suites/record.json",
    suites.map((row) => ({ ...row, ...origin, wrong: [] })),
  );
  await write(
    "bench/results.json",
    results.map((row) => ({ ...row, ...origin })),
  );
  await commit("Figures");
  await git(folder, "tag", "--force", `v${version}`);
}

/** Gives a clone the dependencies of this one, as links. */
export async function linkDependencies(folder: string): Promise<void> {
  for (const path of ["node_modules", ...globSync("packages/*/node_modules", { cwd: root })]) {
    const [from, to] = [join(root, path), join(folder, path)];
    // Other tests write these meanwhile.
    const written = [".cache", ".vite", ".vite-temp"];
    const linkAll = `mkdir "$1" && cp -al "$0"/!(${written.join("|")}) "$1"`;
    const filter = (entry: string) => !written.includes(basename(entry));
    await execute("bash", ["-O", "extglob", "-O", "dotglob", "-c", linkAll, from, to]).catch(async () => {
      await rm(to, { recursive: true, force: true });
      await cp(from, to, { recursive: true, verbatimSymlinks: true, filter });
    });
  }
}

/** Runs a command of the shell in a folder, without what npm and Vitest set for programs that they start. */
export async function shell(
  command: string,
  cwd: string,
  env: Record<string, string | undefined> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|NODE_ENV$|GITHUB_)/.test(name) || name === "npm_config_registry",
  );
  const options = { cwd, env: { ...Object.fromEntries(inherited), ...env }, maxBuffer: 1e8 };
  return execute("bash", ["-ec", command], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** Makes the release of a clone; returns the folder of its files. */
export async function release(clone: string, command = "npm run release"): Promise<string> {
  const { code, stdout, stderr } = await shell(command, clone, { GITHUB_REPOSITORY: repository });
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${stdout}${stderr}`);
  return join(clone, "dist/release");
}
