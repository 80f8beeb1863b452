import { spawnSync } from "node:child_process";

/** Builds the console, once for all test files that open it. */
export default function setup(): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "packages/console"],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`The console could not be built: ${stdout}${stderr}`);
}
