import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The files that the bench's figures depend on, as git's pathspecs. */
const sources = [
  ...["packages", "bench", "test/support", "scripts/bundle.ts", "package-lock.json"],
  ...[":!bench/results.json", ":!*.md", ":(exclude,glob)packages/*/test/**"],
];

/** The same of the suites' figures. */
export const suiteSources = [
  ...["packages", "bench", "test", "scripts/bundle.ts", "package-lock.json"],
  ...[":!test/suites/record.json", ":!bench/results.json", ":!*.md"],
];

/**
 * The last commit that changed what figures depend on, in twelve hex digits.
 * @throws Error with one sentence, where such a file differs from it, or without git
 */
export function measuredCommit(root = join(import.meta.dirname, ".."), paths = sources): string {
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
