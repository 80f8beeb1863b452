/** Checks whether a commit is a release, and writes the notes of one. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { benchSources, suiteSources } from "../../bench/commit.ts";
import { programs } from "../../bench/program.ts";
import { type Origin, originOf, readResults } from "../../bench/results.ts";
import { schemaNumber } from "../../test/fixtures/make/dump.ts";
import { lessThanFull, readRecord, suiteNames } from "../../test/suites/record.ts";

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

type Check = readonly [isWrong: boolean, reason: string];

/** Lists why the commit in the working folder is not the release of a version, each with what to do. */
export async function objectionsTo(version: string): Promise<string[]> {
  const changed = git("status", "--porcelain");
  const tags = git("tag", "--points-at", "HEAD")?.split("\n").filter(Boolean) ?? [];
  const { GITHUB_REPOSITORY: repository } = process.env;
  const fixture = `test/fixtures/${version}-schema-${await schemaNumber()}`;
  const checks: Check[] = [
    [changed === undefined, "git finds no commit here. Run this in a clone of the repository."],
    [Boolean(changed), `the working folder has uncommitted changes. Commit or remove them:\n${changed}`],
    ...manifestObjections(version),
    [
      sectionOf(version) === undefined,
      `CHANGELOG.md has no section of ${version}. Rename its section [Unreleased]: \`## [${version}] - <date>\`.`,
    ],
    [
      sectionOf(version) !== undefined && /^\[Unreleased\]\s+\S/.test(sections()[0] ?? ""),
      `CHANGELOG.md has entries under [Unreleased]. Move them into the section of ${version}.`,
    ],
    [!existsSync(fixture), `there is no ${fixture}. Make it with \`npm run fixture\`, and commit it.`],
    ...recordObjections(version),
    ...resultObjections(),
    [
      !tags.includes(`v${version}`),
      `the commit has ${tags.length > 0 ? `the tag ${tags.join(", ")}` : "no tag"}, and the packages have the version ` +
        `${version}. Tag the commit of that version: \`git tag v${version}\`.`,
    ],
    [
      repository === undefined,
      "GITHUB_REPOSITORY is not set. Set it to the owner and name of the repository on GitHub, `owner/name`: npm " +
        "compares the `repository` of packages with it.",
    ],
  ];
  return checks.flatMap(([isWrong, reason]) => (isWrong ? [reason] : []));
}

/** Suites that the record lacks or ran less of, another version, rows with anything wrong, and other sources. */
function recordObjections(version: string): Check[] {
  const [file, rows] = ["test/suites/record.json", readRecord()];
  const others = rows.find((row) => row.version !== version)?.version;
  const missing = suiteNames.filter((name) => rows.every(({ program }) => program !== name));
  const failed = rows.flatMap(({ program, run, wrong }) => (wrong.length > 0 ? `${program} (${run})` : []));
  const less = lessThanFull(rows);
  const renew = "Run `npm run suites -- --save`, and commit it.";
  return [
    [missing.length > 0, `${file} lacks ${missing.join(", ")}. ${renew}`],
    [others !== undefined, `${file} is of ${others}. ${renew}`],
    [failed.length > 0, `${file} has failures of ${failed.join(", ")}. Fix them first. ${renew}`],
    [less.length > 0, `${file} has less than a release needs: ${less.join("; ")}. ${renew}`],
    ...originObjections(file, rows, suiteSources, renew),
  ];
}

/** The same of the figures of the bench, which README and the pages show. */
function resultObjections(): Check[] {
  const [file, rows] = ["bench/results.json", readResults()];
  const missing = Object.keys(programs).filter((name) => rows.every(({ program }) => program !== name));
  const renew = "Run `npm run bench -- all --save`, and commit it.";
  return [
    [missing.length > 0, `${file} lacks ${missing.join(", ")}. ${renew}`],
    ...originObjections(file, rows, benchSources, renew),
  ];
}

/** Figures that cannot be compared with each other, and those of a commit with other sources than this one. */
function originObjections(
  file: string,
  rows: readonly Origin[],
  sources: readonly string[],
  renew: string,
): Check[] {
  const origins = [...new Set(rows.map(originOf))];
  const commits = [...new Set(rows.map(({ commit }) => commit))];
  return [
    [origins.length > 1, `${file} has figures of ${origins.join(" and of ")}. ${renew}`],
    ...commits.map((commit): Check => {
      const changed = git("diff", "--name-only", commit, "HEAD", "--", ...sources);
      const [first, ...others] = changed?.split("\n") ?? [];
      const files = others.length === 0 ? first : `${first} and ${others.length} more`;
      const reason =
        changed === undefined
          ? `git does not know the commit ${commit} here, of which ${file} is. Fetch the whole history by ` +
            `\`git fetch --unshallow\`, or measure again. ${renew}`
          : `${file} is of ${commit}, and this has changed since: ${files}. ${renew}`;
      return [changed !== "", reason];
    }),
  ];
}

/** Versions that differ from the one of the repository, also of packages that depend on another. */
function manifestObjections(version: string): Check[] {
  return globSync("packages/*/package.json").flatMap((file) => {
    const { version: own, dependencies = {} }: Manifest = JSON.parse(readFileSync(file, "utf8"));
    const named = Object.entries(dependencies).filter(([name]) => name.startsWith("@lading/"));
    return [["its version", own] as const, ...named].map(
      ([name, each]) =>
        [
          each !== version,
          `${file} has ${each} as ${name}, and package.json the version ${version}. Set the version in both, and run ` +
            "`npm install`.",
        ] as const,
    );
  });
}

/** The section of a version in CHANGELOG.md, without its heading; undefined if there is none with a date. */
function sectionOf(version: string): string | undefined {
  const dated = `[${version}] - `;
  return sections().find((section) => section.startsWith(dated) && /^.* - \d{4}-\d\d-\d\d\n/.test(section));
}

const sections = (): string[] => readFileSync("CHANGELOG.md", "utf8").split(/^## /m).slice(1);

/**
 * The notes of a version: its section of CHANGELOG.md, or the newest one if it has none. Links lead to the files of
 * the tag.
 */
export function notesOf(version: string): string {
  const { GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server = "https://github.com" } = process.env;
  const text = (sectionOf(version) ?? sections()[0] ?? "").replace(/^.*\n+/, "").trim();
  const place = `${server}/${repository}/blob/v${version}/`;
  return `${repository ? text.replace(/\]\((?!\w+:|#)/g, `](${place}`) : text}\n`;
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trimEnd() : undefined;
}
