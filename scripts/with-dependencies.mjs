// Runs a command after installing the dependencies, if they are missing or not those of package-lock.json:
//   node scripts/with-dependencies.mjs <command> [arguments…]
// Plain JavaScript for an old Node too: the Node of the project comes with the dependencies.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInstalled } from "./installed.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };

if (!isInstalled(read("package-lock.json"), read("node_modules/.package-lock.json"))) {
  console.log("Installing the dependencies with `npm ci` …");
  const status = run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (status !== 0) {
    fail("`npm ci` failed, see above. It needs the npm registry and a writable folder.", status);
  }
}
requireNode(24);
const [command, ...args] = process.argv.slice(2);
process.exit(run(command, args));

function read(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** Where no package brings the right Node (macOS, Windows), the one on the PATH must be it. */
function requireNode(major) {
  const { stdout } = spawnSync("node", ["--version"], { env, encoding: "utf8", shell: isWindows() });
  const version = /^v(\d+)/.exec(stdout ?? "");
  if (version && Number(version[1]) >= major) return;
  fail(
    `Lading needs Node ${major} or newer; \`node\` on the PATH is ${version ? stdout.trim() : "missing"}. ` +
      "On Linux (x64, arm64) npm installs it with the dependencies, unless optional ones are left out; " +
      "elsewhere install it from https://nodejs.org.",
    1,
  );
}

function run(name, args) {
  const { status, signal, error } = spawnSync(name, args, {
    cwd: root,
    env,
    stdio: "inherit",
    shell: isWindows(),
  });
  if (error) fail(`Cannot run ${name}: ${error.message}`, 1);
  return status ?? (signal ? 1 : 0);
}

function isWindows() {
  return process.platform === "win32"; // there npm is a script, which only a shell starts
}

function fail(message, status) {
  console.error(`\n${message}`);
  process.exit(status);
}
