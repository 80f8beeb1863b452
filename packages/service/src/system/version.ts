import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  version: string;
  gitHead?: string;
}

const here = import.meta.dirname;
const manifest: Manifest = JSON.parse(readFileSync(join(here, "../../package.json"), "utf8"));
const isSource = import.meta.filename.endsWith(".ts");

/** `1.0.0 (commit 4d1a7e0c52b9)`; without the commit where it is unknown. */
export function versionText(): string {
  const { version, commit } = versionAndCommit();
  return commit === undefined ? version : `${version} (commit ${commit.slice(0, 12)})`;
}

/** The version of Lading, and the commit it was built from or, in a clone, the one checked out. */
export function versionAndCommit(): { version: string; commit: string | undefined } {
  const { version, gitHead = isSource ? checkedOut() : undefined } = manifest;
  return { version, commit: gitHead };
}

let known: { commit: string | undefined } | undefined;

/** Asks git once: a process keeps running the code it has loaded. */
function checkedOut(): string | undefined {
  if (known === undefined) {
    const git = spawnSync("git", ["rev-parse", "HEAD"], { cwd: here, encoding: "utf8" });
    known = { commit: git.status === 0 ? git.stdout.trim() : undefined };
  }
  return known.commit;
}
