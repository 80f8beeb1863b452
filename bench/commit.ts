import { execFileSync } from "node:child_process";
import { join } from "node:path";

/**
 * The files that the bench's figures depend on, as git's pathspecs: what is measured, and what measures it. The pages
 * of the console are not among them, since no program opens them, nor are tests that no program runs. A row has its
 * program, sizes and seed, so what starts the suites and writes their rows (`test/suites`) is not either.
 */
export const benchSources = [
  ...["packages", "bench", "test/support", "scripts/bundle.ts", "scripts/fleet-processes.ts"],
  ...["package-lock.json", ":!packages/console", ":(exclude,glob)packages/*/test/**/*.test.ts"],
  // Tests that install a release use these two.
  ...[":!test/support/release.ts", ":!test/support/user-home.ts"],
  ...[":!bench/commit.ts", ":!bench/results.json", ":!*.md"],
];

/** The same of the suites' figures: their programs, and the tests of the conformance suite with what they use. */
export const suiteSources = [
  ...["conformance", "dump", "fixtures/make", "fuzz", "hostile", "isolation", "torture"].map(
    (folder) => `test/${folder}`,
  ),
  ...["test/docs/pages.ts", "examples", "vitest.config.ts", "vitest.release.config.ts", ...benchSources],
];

/**
 * The last commit that changed what figures depend on, in twelve hex digits.
 * @throws Error with one sentence, where such a file differs from it, or without git
 */
export function measuredCommit(root = join(import.meta.dirname, ".."), paths = benchSources): string {
  const git = (...args: string[]) => {
    try {
      return execFileSync("git", ["-C", root, ...args, "--", ...paths], {
        encoding: "utf8",
        stdio: "pipe",
      });
    } catch (cause) {
      throw new Error("--save needs git and a clone: each row has its commit", { cause });
    }
  };
  const changes = git("status", "--porcelain", "--untracked-files=all").trimEnd();
  if (changes !== "") {
    const files = changes.split("\n").map((line) => line.slice(3));
    throw new Error(
      `--save measures a commit; these files have changes that are not committed: ${files.join(", ")}`,
    );
  }
  return git("log", "-1", "--format=%H").slice(0, 12);
}
