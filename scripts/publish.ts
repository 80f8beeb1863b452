/**
 * `node scripts/publish.ts FILE…`: publishes packages on npm in the order of their files, except those that are there
 * already. It publishes none if one of them is there with other contents. The newest version is npm's `latest`, an
 * older one gets a tag of its major version (`latest-1`), a prerelease `next`. The tag of `lading` is the output of a
 * step of a workflow, too.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "../packages/service/src/system/thrown.ts";

interface Package {
  file: string;
  name: string;
  version: string;
  isPublished: boolean;
  tag: string;
}

/** The registry's document of a package, with the fields that are read here. */
interface Published {
  "dist-tags": { latest?: string };
  versions: Record<string, { dist: { integrity: string } }>;
}

try {
  await publish(process.argv.slice(2));
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}

async function publish(files: readonly string[]): Promise<void> {
  const registry = run("npm", "config", "get", "registry").trim();
  const packages: Package[] = [];
  for (const file of files) packages.push(await lookUp(file, registry));
  const { GITHUB_OUTPUT: output } = process.env;
  for (const { file, name, version, isPublished, tag } of packages) {
    // npm takes a relative path of two parts for a repository at GitHub.
    if (!isPublished) run("npm", "publish", resolve(file), "--tag", tag);
    console.log(`${name} ${version}: ${isPublished ? "on npm already, with these contents" : "published"}`);
    if (output && name === "lading") appendFileSync(output, `tag=${tag}\n`);
  }
}

async function lookUp(file: string, registry: string): Promise<Package> {
  const { name, version } = JSON.parse(run("tar", "-xzOf", file, "package/package.json"));
  const url = new URL(name.replace("/", "%2f"), registry);
  const answer = await fetch(url).catch(({ cause }: Error) => {
    throw new Error(`${url} gave no answer: ${errorMessage(cause)}. Nothing was published; try again.`);
  });
  if (!answer.ok && answer.status !== 404)
    throw new Error(`${url} answered ${answer.status}. Nothing was published; try again.`);
  const { "dist-tags": tags = {}, versions = {} } = (await answer.json()) as Partial<Published>;
  const found: Omit<Package, "isPublished"> = { file, name, version, tag: tagOf(version, tags.latest) };
  const there = versions[version];
  if (there === undefined) return { ...found, isPublished: false };
  const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (there.dist.integrity === integrity) return { ...found, isPublished: true };
  throw new Error(
    `${name} ${version} is on ${registry} with other contents than ${file}. A version cannot be published twice: ` +
      "release these contents as the next one. Nothing was published.",
  );
}

/** @param latest a prerelease, too: npm's registry makes the first version of a package `latest`, whatever its tag */
function tagOf(version: string, latest: string | undefined): string {
  if (version.includes("-")) return "next";
  const isOlder = latest?.split("-")[0]?.localeCompare(version, "en", { numeric: true }) === 1;
  return isOlder ? `latest-${version.split(".", 1)}` : "latest";
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, error } = spawnSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0)
    throw new Error(`\`${program} ${args.join(" ")}\` failed: ${error?.message ?? "see above"}`);
  return stdout;
}
