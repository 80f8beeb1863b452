import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { page } from "../docs/pages.ts";
import { askBroker } from "../support/broker.ts";
import { repository, shell, version } from "../support/release.ts";
import { type NpmRegistry, startNpmRegistry } from "../support/servers/npm-registry.ts";

const tag = `v${version}`;
const [major] = version.split(".", 1);

interface Step {
  id?: string;
  run?: string;
  uses?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
  "working-directory"?: string;
}
const { jobs }: { jobs: Record<string, { steps: Step[]; permissions: object }> } = parse(
  page(".github/workflows/release.yml"),
);
const steps = Object.values(jobs).flatMap((job) => job.steps);
const only = (is: (step: Step) => unknown): Step => {
  const [step, another] = steps.filter(is);
  if (step === undefined || another) throw new Error(`not one step of the workflow has \`${is}\``);
  return step;
};
const stepWith = (text: string): Step & { run: string } => {
  const step = only(({ run }) => run?.includes(text));
  return { ...step, run: step.run ?? "" };
};

/** The clone that the release was made in, and a checkout without dependencies, as the job that publishes has it. */
let made: string;
let checkout: string;
beforeAll(async () => {
  made = join(await askBroker("/release"), "../..");
  const folder = mkdtempSync(join(tmpdir(), "lading-publish-"));
  checkout = join(folder, "checkout");
  expect(await shell(`git clone --quiet ${made} ${checkout}`, folder)).toMatchObject({ code: 0 });
  return () => rmSync(folder, { recursive: true, force: true });
});
/** The artifact of the job before, in the checkout. */
beforeEach(async () => {
  const { path } = only(({ uses }) => uses?.startsWith("actions/upload-artifact@")).with ?? {};
  for (const each of String(path).trim().split("\n")) {
    const to = join(checkout, relative("dist", each));
    rmSync(to, { recursive: true, force: true });
    await cp(join(made, each), to, { recursive: true });
  }
});
const released = () => readdirSync(join(made, "dist/release")).sort();

test("each action of a workflow is named by its commit, and none of the release uses a cache", () => {
  const uses = ["ci", "release"].flatMap((name) => page(`.github/workflows/${name}.yml`).match(/uses:.*/g));
  expect(uses.length).toBeGreaterThan(5);
  for (const each of uses) expect(each).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const nodes = steps.filter((step) => step.uses?.startsWith("actions/setup-node@"));
  for (const step of nodes) {
    expect(step.with).toMatchObject({ "package-manager-cache": false });
    expect(step.with).not.toHaveProperty("cache");
  }
});

test("every command of the workflow is run by a test here, but for the tests and what they need", () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  const leftOut = ["sudo apt-get", ".ci/run"];
  const here = ["npm run release", "sha256sum", "scripts/publish.ts", "gh release"];
  const known = [...leftOut, ...here];
  expect(commands.filter((command) => !known.some((each) => command.includes(each)))).toEqual([]);
  expect(stepWith("npm run release").run).toBe("npm run release"); // as `release` of test/support runs it
});

test("only the job that runs no tests may publish, and nothing else", () => {
  const permissions = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
  expect(Object.fromEntries(permissions)).toEqual({
    make: { contents: "read" },
    publish: { contents: "write", "id-token": "write", attestations: "write" },
  });
  expect(jobs.publish?.steps.filter(({ run }) => /npm (?:ci|install|run)|\.ci/.test(run ?? ""))).toEqual([]);
});

test("a changed file of a release does not pass the check of its sums", async () => {
  const step = stepWith("sha256sum");
  const folder = join(checkout, step["working-directory"] ?? "");
  expect(await shell(step.run, folder)).toMatchObject({ code: 0 });
  writeFileSync(join(folder, `lading-${version}.tgz`), "!", { flag: "a" });
  const { code, stdout } = await shell(step.run, folder);
  expect([code, stdout]).toEqual([1, expect.stringContaining(`lading-${version}.tgz: FAILED`)]);
});

describe("publishing on npm", () => {
  let registry: NpmRegistry;
  beforeEach(async () => {
    registry = await startNpmRegistry();
    return () => registry.close();
  });
  const schema = `release/lading-schema-${version}.tgz`;

  /** Runs the step with what setup-node writes. Provenance is left out: only a workflow's identity makes it. */
  const publish = async (token = registry.token, files = "release/*.tgz") => {
    const step = stepWith("scripts/publish.ts");
    const { NPM_CONFIG_PROVENANCE, NODE_AUTH_TOKEN, ...rest } = step.env ?? {};
    expect([NPM_CONFIG_PROVENANCE, NODE_AUTH_TOKEN, rest]).toEqual([
      "true",
      expect.stringContaining("secrets."),
      {},
    ]);
    const [npmrc, output] = [join(checkout, "npmrc"), join(checkout, "output")];
    const { host } = new URL(registry.url);
    writeFileSync(npmrc, `//${host}/:_authToken=\${NODE_AUTH_TOKEN}\nregistry=${registry.url}\n`);
    writeFileSync(output, "");
    const ended = await shell(step.run.replace("release/*.tgz", files), checkout, {
      ...{ NPM_CONFIG_USERCONFIG: npmrc, NODE_AUTH_TOKEN: token, npm_config_registry: undefined },
      ...{ npm_config_cache: join(checkout, "npm-cache"), GITHUB_OUTPUT: output },
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    });
    return { ...ended, outputs: readFileSync(output, "utf8").trim().split("\n") };
  };

  test("without a right to publish, or while the registry has a failure, publishes nothing and says so", async () => {
    const refused = await publish("another token", schema);
    expect([refused.code, refused.outputs]).toEqual([1, [""]]);
    expect(refused.stderr).toMatch(/npm error code E401[\s\S]*`npm publish [^`]*` failed: see above\n$/);
    registry.answerWith(503);
    const failed = await publish();
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/ answered 503\. Nothing was published; try again\.\n$/),
    ]);
    expect(registry.published).toEqual([]);
    await registry.close();
    expect((await publish()).stderr).toMatch(
      / gave no answer: .*ECONNREFUSED.*\. Nothing was published; try again\.\n$/,
    );
  });

  test("gives the newest version, an older one and a prerelease their tags, which are outputs of the step", async () => {
    const published = async (other: string) => {
      const name = `s#"name": "@lading/schema"#"name": "lading"#`;
      const change = `sed -i '${name}; s/"version": "[^"]*"/"version": "${other}"/' package/package.json`;
      await shell(`tar -xzf ${schema} && ${change} && tar -czf other.tgz package`, checkout);
      const { code, outputs } = await publish(registry.token, `other.tgz ${schema}`);
      return { code, outputs, tags: registry.tags("lading") };
    };
    const beta = `${version}-beta.1`;
    expect(await published(beta)).toEqual({
      ...{ code: 0, outputs: ["tag=next"] },
      tags: { next: beta, latest: beta }, // as npm's registry does with the first version
    });
    const tags = { next: beta, latest: version };
    expect(await published(version)).toEqual({ code: 0, outputs: ["tag=latest"], tags });
    const newest = { next: beta, latest: "99.10.0" };
    expect(await published("99.10.0")).toMatchObject({ code: 0, tags: newest });
    const patch = `${major}.99.9`;
    expect(await published(patch)).toEqual({
      ...{ code: 0, outputs: [`tag=latest-${major}`] },
      tags: { ...newest, [`latest-${major}`]: patch },
    });
  });

  test("again after a part of it publishes the rest, the bytes of the release, which `npm install lading` installs", async () => {
    const names = [`lading@${version}`, `@lading/schema@${version}`, `@lading/transform@${version}`];
    expect(await publish(registry.token, schema)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await publish();
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("npm warn")]);
    expect(stdout).toBe(
      `lading ${version}: published\n@lading/schema ${version}: on npm already, with these contents\n` +
        `@lading/transform ${version}: published\n`,
    );
    expect([...registry.published].sort()).toEqual([...names].sort());
    for (const name of names) {
      const file = `${name.replace("@lading/", "lading-").replace("@", "-")}.tgz`;
      expect(registry.tarball(name).equals(readFileSync(join(checkout, "release", file))), name).toBe(true);
    }
    const again = await publish();
    expect([again.code, again.stdout.match(/on npm already/g), again.outputs.at(-1)]).toEqual([
      ...[0, Array(3).fill("on npm already")],
      "tag=latest",
    ]);
    writeFileSync(join(checkout, schema), "\0", { flag: "a" });
    const changed = await publish();
    expect([changed.code, changed.stdout]).toEqual([1, ""]);
    expect(changed.stderr).toMatch(
      /^@lading\/schema \S+ is on \S+ with other contents than .* Nothing was published\.\n$/,
    );
    const env = { npm_config_registry: registry.url, npm_config_cache: join(checkout, "npm-cache") };
    const shop = join(checkout, "../shop");
    mkdirSync(shop);
    expect(await shell("npm install lading && npx lading --version", shop, env)).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining(`${version} (commit `) },
    });
    const installed = join(shop, "node_modules/lading/package.json");
    const { repository: named } = JSON.parse(readFileSync(installed, "utf8"));
    expect(named.url).toBe(`git+https://github.com/${repository}.git`);
  });
});

describe("the release at GitHub", () => {
  /** Runs the step with a `gh` that records its arguments; `exists` is whether it finds the release. */
  const gh = async (exists: boolean, npmTag = "latest") => {
    const [bin, log] = [join(checkout, "bin"), join(checkout, "gh.log")];
    mkdirSync(bin, { recursive: true });
    const finds = `[ "$1 $2" = "release view" ] && exit ${exists ? 0 : 1}`;
    writeFileSync(join(bin, "gh"), `#!/bin/sh\necho "$*" >> ${log}\n${finds}\nexit 0\n`, { mode: 0o755 });
    rmSync(log, { force: true });
    const step = stepWith("gh release");
    const compared = Object.entries(step.env ?? {}).flatMap(([name, text]) => {
      const [, id, value] = /^\$\{\{ steps\.(\w+)\.outputs\.tag == '(\w+)' \}\}$/.exec(text) ?? [];
      return id === stepWith("scripts/publish.ts").id ? [[name, String(value === npmTag)]] : [];
    });
    const env = { PATH: `${bin}:${process.env.PATH}`, GITHUB_REF_NAME: tag, ...Object.fromEntries(compared) };
    expect(await shell(step.run, checkout, env)).toMatchObject({ code: 0 });
    return readFileSync(log, "utf8").trim().split("\n");
  };
  const assets = () => released().map((name) => `release/${name}`);
  const sorted = (line = "") => line.split(" ").sort();

  test("is created with every file, and the notes as its text", async () => {
    const [view, create] = await gh(false);
    expect(view).toBe(`release view ${tag}`);
    const text = ["--title", "Lading", version, "--notes-file", "RELEASE_NOTES.md"];
    const options = ["--verify-tag", "--latest=true", "--prerelease=false", ...text];
    expect(sorted(create)).toEqual(["release", "create", tag, ...options, ...assets()].sort());
    expect(readdirSync(checkout)).toContain("RELEASE_NOTES.md");
  });

  test("gets its files again, and is made public, when it was left half made", async () => {
    const [, upload, edit] = await gh(true);
    expect(sorted(upload)).toEqual(["release", "upload", tag, "--clobber", ...assets()].sort());
    expect(edit).toBe(`release edit ${tag} --draft=false --latest=true --prerelease=false`);
  });

  test.each([
    [`latest-${major}`, "--latest=false --prerelease=false"],
    ["next", "--latest=false --prerelease=true"],
  ])("is not the latest one when npm has it as %s", async (npmTag, options) => {
    for (const exists of [false, true]) expect((await gh(exists, npmTag)).at(-1)).toContain(options);
  });
});
