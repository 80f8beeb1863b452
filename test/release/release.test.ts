import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Shipped, shippedPackages } from "../../scripts/shipped.ts";
import { page } from "../docs/pages.ts";
import { askBroker } from "../support/broker.ts";
import {
  cloneForRelease,
  linkDependencies,
  release,
  repository,
  shell,
  version,
} from "../support/release.ts";
import { type NpmRegistry, startNpmRegistry } from "../support/servers/npm-registry.ts";

const root = join(import.meta.dirname, "../..");
const tag = `v${version}`;

interface Step {
  run?: string;
  uses?: string;
  env?: Record<string, string>;
  "working-directory"?: string;
}
const workflow: { jobs: Record<string, { steps: Step[]; permissions: object }> } = parse(
  readFileSync(join(root, ".github/workflows/release.yml"), "utf8"),
);
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const stepWith = (text: string): Step & { run: string } => {
  const [step, another] = steps.filter(({ run }) => run?.includes(text));
  if (step?.run === undefined || another) throw new Error(`not one step of the workflow runs \`${text}\``);
  return { ...step, run: step.run };
};

/** A home, with the released files in `release`, as the workflow has them. */
let home: string;
let files: string;
beforeAll(async () => {
  files = await askBroker("/release");
});
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "lading-release-test-"));
  await cp(files, join(home, "release"), { recursive: true });
  return () => rmSync(home, { recursive: true, force: true });
});

describe("a release is refused", () => {
  let clone: string;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "lading-refused-"));
    clone = join(folder, "clone");
    await cloneForRelease(clone);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const refused = async (spoil: string, env: Record<string, string> = { GITHUB_REPOSITORY: repository }) => {
    const spoiled = join(home, "clone");
    await shell(`git clone --quiet ${clone} ${spoiled}`, home);
    const made = await shell(spoil, spoiled);
    if (made.code !== 0) throw new Error(made.stderr);
    const { code, stdout, stderr } = await shell(`${process.execPath} scripts/release.ts`, spoiled, env);
    expect([code, stdout, readdirSync(spoiled)]).toEqual([1, "", expect.not.arrayContaining(["dist"])]);
    expect(stderr).toMatch(/^Refused: [\s\S]*\nNothing was made\. `npm run release -- --dry` makes /);
    return stderr.match(/^Refused: .*$/gm);
  };
  const commit = "git -c user.name=t -c user.email=t@t.example commit -qam change && git tag -f";

  const withoutCrash =
    'const f = "test/suites/record.json", fs = require("fs");' +
    'fs.writeFileSync(f, JSON.stringify(JSON.parse(fs.readFileSync(f)).filter((row) => row.program !== "crash")))';

  test.each([
    [
      "of changes that are not committed",
      "echo 1 > notes.txt",
      /uncommitted changes\. Commit or remove them:$/,
    ],
    [
      "of a package with another version",
      `sed -i 's/"version": "[^"]*"/"version": "0.0.1"/' packages/schema/package.json && ${commit} ${tag}`,
      /packages\/schema\/package\.json has 0\.0\.1 as its version, and package\.json the version /,
    ],
    [
      "of a package that needs another version of one",
      `sed -i 's/"@lading.schema": "[^"]*"/"@lading\\/schema": "0.0.1"/' packages/transform/package.json && ${commit} ${tag}`,
      /packages\/transform\/package\.json has 0\.0\.1 as @lading\/schema, /,
    ],
    [
      "of a version that the change log does not have",
      `sed -i 's/^## \\[${version}\\] - .*/## [Unreleased]/' CHANGELOG.md && ${commit} ${tag}`,
      /CHANGELOG\.md has no section of .* Rename its section \[Unreleased\]: /,
    ],
    [
      "of a version without a fixture",
      `git rm -rq 'test/fixtures/${version}-schema-*' && ${commit} ${tag}`,
      /test\/fixtures has no database of .* Make it with `npm run fixture`/,
    ],
    [
      "of a version whose suites did not all run",
      `node -e '${withoutCrash}' && ${commit} ${tag}`,
      /test\/suites\/record\.json lacks crash\. Run `npm run suites -- --save`/,
    ],
    [
      "of a version whose suites ran for another",
      `sed -i 's/"version": "[^"]*"/"version": "0.0.1"/' test/suites/record.json && ${commit} ${tag}`,
      /test\/suites\/record\.json is of 0\.0\.1\. /,
    ],
    [
      "of a commit without a tag",
      `git tag -d ${tag}`,
      /the commit has no tag, and the packages have the version .* `git tag v/,
    ],
    [
      "of a commit with the tag of another version",
      `git tag -d ${tag} && git tag v99.0.0`,
      /the commit has the tag v99\.0\.0, and the packages have the version /,
    ],
    ["outside of a clone", "rm -rf .git", /git finds no commit here\. Run this in a clone/],
  ])("%s", async (_, spoil, reason) => {
    const reasons = await refused(spoil);
    expect(reasons).toEqual(expect.arrayContaining([expect.stringMatching(reason)]));
    if (spoil !== "rm -rf .git") expect(reasons).toHaveLength(1);
  });

  test("without the name of the repository at GitHub", async () => {
    expect(await refused("true", {})).toEqual([
      expect.stringMatching(/GITHUB_REPOSITORY is not set\. Set it to the owner and name/),
    ]);
  });
});

test("a dry run in a clone elsewhere, with another umask, makes the same files, byte by byte", async () => {
  const other = join(home, "a folder with spaces/clone");
  mkdirSync(join(home, "a folder with spaces"));
  expect(
    await shell(`umask 077 && git clone --quiet ${join(files, "../..")} "${other}"`, home),
  ).toMatchObject({
    code: 0,
  });
  await shell(`git tag --delete ${tag}`, other);
  await linkDependencies(other);
  const made = await release(other, "umask 077 && npm run release -- --dry");
  const sums = (folder: string) => readFileSync(join(folder, "SHA256SUMS"), "utf8");
  expect(sums(made)).toBe(sums(files));
});

test("a release has packages, SBOM, licences, notes, the record of its suites and the file of the container, and their sums", () => {
  const packages = ["lading", "lading-schema", "lading-transform"].map((name) => `${name}-${version}.tgz`);
  const others = [
    "Containerfile",
    "RELEASE_NOTES.md",
    "THIRD-PARTY-LICENSES.txt",
    `lading-${version}.cdx.json`,
    "suites.json",
  ];
  expect(readdirSync(files).sort()).toEqual([...packages, ...others, "SHA256SUMS"].sort());
  const rows = page("docs/first-hour.md")
    .match(/^\| File of a release [\s\S]*?\n\n/m)?.[0]
    .matchAll(/^\| (`.*?) \|/gm);
  const listed = [...(rows ?? [])].flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "));
  expect(listed.map((name) => name.replace("<version>", version)).sort()).toEqual(readdirSync(files).sort());
  const notes = readFileSync(join(files, "RELEASE_NOTES.md"), "utf8");
  expect(notes).toMatch(/^### \w+$/m);
  expect(notes).not.toMatch(/^## /m);
  const links = [...notes.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link);
  expect(links).not.toEqual([]);
  expect(links.filter((link) => !link?.startsWith(`https://github.com/${repository}/blob/${tag}/`))).toEqual(
    [],
  );
});

describe("what the package contains of others", () => {
  const sbom = () => readFileSync(join(files, `lading-${version}.cdx.json`), "utf8");
  const components = (): {
    name: string;
    group?: string;
    version: string;
    purl: string;
    licenses: object[];
  }[] => JSON.parse(sbom()).components;

  test("a package under a licence that is not known to be permissive, or under none, stops the build", () => {
    const folder = (name: string, license?: string) => {
      const made = join(home, "node_modules", name);
      mkdirSync(made, { recursive: true });
      writeFileSync(join(made, "package.json"), JSON.stringify({ name, version: "1.0.0", license }));
      return made;
    };
    const modules = [folder("free", "MIT"), folder("copyleft", "GPL-3.0-only"), folder("bare")].map(
      (made) => `${made}/index.js`,
    );
    const names = (made: readonly Shipped[]) => made.map(({ name }) => name);
    expect(names(shippedPackages(modules.slice(0, 1), []))).toEqual(["free"]);
    expect(() => shippedPackages(modules, [])).toThrow(
      /permissive:\n {2}bare 1\.0\.0: no licence\n {2}copyleft 1\.0\.0: GPL-3\.0-only\nReplace the package, or /,
    );
  });

  test("is in the SBOM, which CycloneDX's schema accepts", async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(sbom())).toBeNull();
    expect(await validator.validate(sbom().replace('"library"', '"shelf"'))).not.toBeNull();
    const ids = components().map(({ purl }) => purl.replace("%40", "@").replace(/@[^@]*$/, ""));
    // Of the command, the page, its worker, whole, and of the bundlers.
    for (const name of ["fastify", "react", "jsonc-parser", "@electric-sql/pglite", "rolldown", "vite"])
      expect(ids).toContain(`pkg:npm/${name}`);
    for (const { licenses, version: each } of components())
      expect([licenses.length, each]).toEqual([1, expect.any(String)]);
  });

  test("has every dependency of the command, its service and their libraries", () => {
    const listed = components().map(({ name, group }) => (group ? `${group}/${name}` : name));
    const manifests = ["cli", "service", "schema", "transform"].map((folder) =>
      JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")),
    );
    const needed = manifests.flatMap(({ dependencies }) => Object.keys(dependencies));
    const others = needed.filter((name) => !name.startsWith("@lading/"));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((name) => !listed.includes(name))).toEqual([]);
  });

  test("has the text of its licence in the package, and no placeholder for who grants it", async () => {
    const text = readFileSync(join(files, "THIRD-PARTY-LICENSES.txt"), "utf8");
    const { stdout } = await shell(`tar -xzOf lading-${version}.tgz package/THIRD-PARTY-LICENSES.txt`, files);
    expect(stdout).toBe(text);
    const parts = text.split(`\n${"-".repeat(80)}\n\n`);
    const headings = parts.map((part) => part.split("\n", 1)[0]);
    for (const { name, group, version: each } of components())
      expect(headings).toContainEqual(
        expect.stringContaining(`${group ? `${group}/` : ""}${name} ${each} (`),
      );
    for (const each of ["PostgreSQL (PostgreSQL)", "libxml2 (MIT)", "monaco-editor (MIT)"])
      expect(headings).toContain(each);
    const wasm = readFileSync(join(root, "node_modules/@electric-sql/pglite/dist/pglite.wasm"), "latin1");
    const [, postgresql] = /PostgreSQL ([\d.]+) \(PGlite/.exec(wasm) ?? [];
    const sbom = JSON.parse(readFileSync(join(files, `lading-${version}.cdx.json`), "utf8"));
    const inner = sbom.components.flatMap(({ components = [] }: { components?: object[] }) => components);
    expect(inner).toContainEqual(expect.objectContaining({ name: "PostgreSQL", version: postgresql }));
    const texts =
      /Permission is hereby granted|Permission to use, copy|Apache License|Redistribution and use|Blue Oak|CC0|provided 'as-is'/;
    expect(parts.filter((part) => !texts.test(part)).map((part) => part.slice(0, 200))).toEqual([]);
    expect(text).not.toMatch(/<(?:year|copyright holders?)>/);
  });
});

test("every command of the workflow is run by a test here, but for the tests and what they need", () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  const leftOut = ["sudo apt-get", ".ci/run"];
  const here = ["npm run release", "sha256sum", "scripts/publish.ts", "gh release"];
  const known = [...leftOut, ...here];
  expect(
    commands.filter((command) => !known.some((each) => command.startsWith(each) || command.includes(each))),
  ).toEqual([]);
  expect(stepWith("npm run release").run).toBe("npm run release"); // as `release` of test/support runs it
});

test("only the job that runs no tests may publish, and nothing else", () => {
  const permissions = Object.entries(workflow.jobs).map(([name, job]) => [name, job.permissions]);
  expect(Object.fromEntries(permissions)).toEqual({
    make: { contents: "read" },
    publish: { contents: "write", "id-token": "write", attestations: "write" },
  });
  expect(
    workflow.jobs.publish?.steps.filter(({ run }) => /npm (?:ci|install|run)|\.ci/.test(run ?? "")),
  ).toEqual([]);
});

test("a changed file of a release does not pass the check of its sums", async () => {
  const step = stepWith("sha256sum");
  const folder = join(home, step["working-directory"] ?? "");
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
  const names = [`lading@${version}`, `@lading/schema@${version}`, `@lading/transform@${version}`];

  /** Runs the step with what setup-node writes. Provenance is left out: only a workflow's identity makes it. */
  const publish = async (token = registry.token, files = "") => {
    const step = stepWith("scripts/publish.ts");
    const { NPM_CONFIG_PROVENANCE, NODE_AUTH_TOKEN, ...rest } = step.env ?? {};
    expect([NPM_CONFIG_PROVENANCE, NODE_AUTH_TOKEN, rest]).toEqual([
      "true",
      expect.stringContaining("secrets."),
      {},
    ]);
    const npmrc = join(home, ".npmrc");
    writeFileSync(
      npmrc,
      `//${new URL(registry.url).host}/:_authToken=\${NODE_AUTH_TOKEN}\nregistry=${registry.url}\n`,
    );
    const command = step.run
      .replace("scripts/", `${root}/scripts/`)
      .replace("node ", `${process.execPath} `)
      .replace("release/*.tgz", files || "release/*.tgz");
    const env = { NPM_CONFIG_USERCONFIG: npmrc, NODE_AUTH_TOKEN: token, npm_config_registry: undefined };
    return shell(command, home, { ...env, npm_config_cache: join(home, "cache") });
  };

  test("without a right to publish fails, and says so", async () => {
    const { code, stderr } = await publish("another token");
    expect([code, registry.published]).toEqual([1, []]);
    expect(stderr).toMatch(/npm error code E401[\s\S]*`npm publish [^`]*` failed: see above\n$/);
  });

  test("while the registry has a failure publishes nothing, and says that it can be tried again", async () => {
    registry.answerWith(503);
    const { code, stderr } = await publish();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/ answered 503\. Nothing was published; try again\.\n$/),
    ]);
    await registry.close();
    expect((await publish()).stderr).toMatch(
      / gave no answer: .*ECONNREFUSED.*\. Nothing was published; try again\.\n$/,
    );
  });

  test.each([
    ["the newest", "0.9.0", { latest: version }],
    [
      "older than the newest, the tag of its major version",
      "99.0.0",
      { latest: "99.0.0", [`latest-${version.split(".", 1)}`]: version },
    ],
  ])("gives a version that is %s", async (_, other, tags) => {
    const schema = `release/lading-schema-${version}.tgz`;
    const repack = `tar -xzf ${schema} && sed -i 's/"version": "[^"]*"/"version": "${other}"/' package/package.json`;
    const packed = await shell(`${repack} && tar -czf other.tgz package`, home);
    expect(packed).toMatchObject({ code: 0 });
    for (const file of ["other.tgz", schema])
      expect(await publish(registry.token, file)).toMatchObject({ code: 0 });
    expect(registry.tags("@lading/schema")).toEqual(tags);
  });

  test("a version that is there with other contents publishes none", async () => {
    const schema = join(home, `release/lading-schema-${version}.tgz`);
    expect(await publish(registry.token, schema)).toMatchObject({ code: 0 });
    writeFileSync(schema, "\0", { flag: "a" });
    const { code, stderr } = await publish();
    expect([code, registry.published]).toEqual([1, [`@lading/schema@${version}`]]);
    expect(stderr).toMatch(
      /^@lading\/schema \S+ is on \S+ with other contents than .* Nothing was published\.\n$/,
    );
  });

  test("again after half of them publishes the others, and once more nothing", async () => {
    expect(await publish(registry.token, `release/lading-schema-${version}.tgz`)).toMatchObject({ code: 0 });
    const { code, stdout } = await publish();
    expect([code, [...registry.published].sort()]).toEqual([0, [...names].sort()]);
    expect(stdout).toBe(
      `lading ${version}: published\n@lading/schema ${version}: on npm already, with these contents\n` +
        `@lading/transform ${version}: published\n`,
    );
    const again = await publish();
    expect([again.code, again.stdout.match(/on npm already/g)]).toEqual([0, Array(3).fill("on npm already")]);
  });

  test("gives npm the bytes of the release, and `npm install lading` installs them", async () => {
    const { code, stderr } = await publish();
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("npm warn")]);
    for (const name of names) {
      const file = `${name.replace("@lading/", "lading-").replace("@", "-")}.tgz`;
      expect(registry.tarball(name).equals(readFileSync(join(files, file))), name).toBe(true);
    }
    const env = { npm_config_registry: registry.url, npm_config_cache: join(home, "cache") };
    const installed = await shell(
      "mkdir shop && cd shop && npm install lading && npx lading --version",
      home,
      env,
    );
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(`${version} (commit `) });
    const { repository: named } = JSON.parse(
      readFileSync(join(home, "shop/node_modules/lading/package.json"), "utf8"),
    );
    expect(named.url).toBe(`git+https://github.com/${repository}.git`);
  });
});

describe("the release at GitHub", () => {
  /** Runs the step with a `gh` that records its arguments; `exists` is whether it finds the release. */
  const gh = async (exists: boolean) => {
    const [bin, log] = [join(home, "bin"), join(home, "gh.log")];
    mkdirSync(bin);
    const finds = `[ "$1 $2" = "release view" ] && exit ${exists ? 0 : 1}`;
    writeFileSync(join(bin, "gh"), `#!/bin/sh\necho "$*" >> ${log}\n${finds}\nexit 0\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}`, GITHUB_REF_NAME: tag };
    expect(await shell(stepWith("gh release").run, home, env)).toMatchObject({ code: 0 });
    return readFileSync(log, "utf8").trim().split("\n");
  };
  const assets = () =>
    readdirSync(files)
      .sort()
      .map((name) => `release/${name}`);
  const sorted = (line = "") => line.split(" ").sort();

  test("is created with every file, and the notes", async () => {
    const [view, create] = await gh(false);
    expect(view).toBe(`release view ${tag}`);
    const options = [
      "--verify-tag",
      "--title",
      "Lading",
      version,
      "--notes-file",
      "release/RELEASE_NOTES.md",
    ];
    expect(sorted(create)).toEqual(["release", "create", tag, ...options, ...assets()].sort());
  });

  test("gets its files again, and is made public, when it was left half made", async () => {
    const [, upload, edit] = await gh(true);
    expect(sorted(upload)).toEqual(["release", "upload", tag, "--clobber", ...assets()].sort());
    expect(edit).toBe(`release edit ${tag} --draft=false`);
  });
});

test("the image is built from the package and the Containerfile of a release alone", async () => {
  const file = readFileSync(join(files, "Containerfile"), "utf8").replaceAll("\\\n", " ");
  const [, pattern, to] = /^COPY (\S+) (\/\S+)$/m.exec(file) ?? [];
  const [, command = ""] = /^RUN (npm .*)$/m.exec(file) ?? [];
  const copied = join(home, "package");
  const app = join(home, "app");
  for (const folder of [copied, app]) mkdirSync(folder);
  await shell(`cp ${pattern} ${copied}`, files);
  expect(readdirSync(copied)).toEqual([`lading-${version}.tgz`]);
  // Without a network: the rest is in the package.
  const env = { npm_config_offline: "true", npm_config_cache: join(home, "cache") };
  expect(await shell(command.replaceAll(to ?? "", `${copied}/`), app, env)).toMatchObject({ code: 0 });
  const path = /^ENV PATH=(\S+?):/m.exec(file)?.[1]?.replace("/app", app);
  const [program] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(file)?.[1] ?? "[]");
  const started = await shell(`${program} --version`, home, { PATH: `${path}:${process.env.PATH}` });
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining(`${version} (commit `) });
  const { stdout } = await shell(`tar -xzOf lading-${version}.tgz package/deploy/Containerfile`, files);
  expect(stdout).toBe(readFileSync(join(files, "Containerfile"), "utf8"));
  const { stdout: packed } = await shell(`tar -tzf lading-${version}.tgz`, files);
  expect(packed).toContain("package/deploy/compose.yaml");
});
