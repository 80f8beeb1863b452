import { spawnSync } from "node:child_process";

/** Builds the console, once for all test files that open it. The build must print nothing, as in the quickstart. */
export default function setup(): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "packages/console"],
    { encoding: "utf8" },
  );
  if (status !== 0 || stdout || stderr)
    throw new Error(`The build of the console ended with ${status}: ${stdout}${stderr}`);
}
