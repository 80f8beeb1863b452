/**
 * `npm run release`: makes the files of a release in dist/release and its text in dist/RELEASE_NOTES.md, and installs
 * the package of the command from there without a network. It publishes nothing: .github/workflows/release.yml does. It
 * refuses a commit that is not a release; with `-- --dry` it lists what is missing and makes the files anyway.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { versionText } from "../packages/service/src/system/version.ts";
import { notesOf, objectionsTo } from "./release/checks.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { dry } = parseArgs({ options: { dry: { type: "boolean", default: false } } }).values;
const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));

const objections = await objectionsTo(version);
for (const each of objections) console.error(`${dry ? "A release would be refused" : "Refused"}: ${each}`);
if (objections.length > 0 && !dry) {
  console.error(
    "Nothing was made. `npm run release -- --dry` makes the files of a commit that is not a release.",
  );
  process.exit(1);
}

await import("./build.ts");
const target = "dist/release";
mkdirSync(target);
npm("pack", "./dist/schema", "./dist/transform", "./dist/cli", "--pack-destination", target, "--silent");
const commandPackage = join(target, `lading-${version}.tgz`);
cpSync("dist/cli/THIRD-PARTY-LICENSES.txt", join(target, "THIRD-PARTY-LICENSES.txt"));
cpSync("dist/cli/sbom.cdx.json", join(target, `lading-${version}.cdx.json`));
cpSync("test/suites/record.json", join(target, "suites.json"));
cpSync("deploy/Containerfile", join(target, "Containerfile"));
const sums = readdirSync(target)
  .sort()
  .map((name) => `${sha256(join(target, name))}  ${name}\n`);
writeFileSync(join(target, "SHA256SUMS"), sums.join(""));
installWithoutNetwork();
writeFileSync("dist/RELEASE_NOTES.md", notesOf(version));
for (const name of [...readdirSync(target), "../RELEASE_NOTES.md"]) console.log(join(target, name));

/** Installs the package with an empty cache, and starts it. */
function installWithoutNetwork(): void {
  const folder = mkdtempSync(join(tmpdir(), "lading-release-"));
  try {
    const cache = join(folder, "cache");
    npm("install", "--offline", "--cache", cache, "--prefix", folder, "--silent", resolve(commandPackage));
    const [bin = ""] = globSync(join(folder, "node_modules/lading/bin/*"));
    const { stdout, stderr } = spawnSync(process.execPath, [bin, "--version"], { encoding: "utf8" });
    if (stdout.trim() !== versionText())
      throw new Error(
        `${commandPackage} was installed, but \`lading --version\` printed: ${stdout}${stderr}`,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(...args: string[]): void {
  const { status, error } = spawnSync("npm", args, { stdio: "inherit" });
  if (status !== 0)
    throw new Error(`\`npm ${args.join(" ")}\` failed${error ? `: ${error.message}` : ", see above"}`);
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
