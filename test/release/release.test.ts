import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { beforeAll, describe, expect, test } from "vitest";
import { type Shipped, shippedPackages } from "../../scripts/shipped.ts";
import { page } from "../docs/pages.ts";
import { askBroker } from "../support/broker.ts";
import { linkDependencies, release, repository, shell, version } from "../support/release.ts";

const root = join(import.meta.dirname, "../..");
const tag = `v${version}`;

/** The released files, a folder for what tests make, and in it another clone, with another umask. */
let files: string;
let home: string;
let clone: string;
/** Gives the clone its first commit and tag again. */
let restore: () => Promise<void>;
beforeAll(async () => {
  files = await askBroker("/release");
  home = mkdtempSync(join(tmpdir(), "lading release test "));
  clone = join(home, "clone");
  const git = async (command: string, cwd = clone) => {
    const { code, stdout, stderr } = await shell(`umask 077 && ${command}`, cwd);
    if (code !== 0) throw new Error(`${command}: ${stderr}`);
    return stdout.trim();
  };
  await git(`git clone --quiet ${join(files, "../..")} clone`, home);
  const commit = await git("git rev-parse HEAD");
  restore = async () => {
    await git(
      `git tag -l | xargs git tag -d && git reset -q --hard ${commit} && git clean -fdq && git tag ${tag}`,
    );
  };
  return () => rmSync(home, { recursive: true, force: true });
});

describe("a release is refused", () => {
  const commit = `git -c user.name=t -c user.email=t@t.example commit -qam change && git tag -f ${tag}`;
  const figures = (file: string) => (change: string) =>
    `node -e 'const fs = require("fs"), f = "${file}", rows = JSON.parse(fs.readFileSync(f)); ` +
    `fs.writeFileSync(f, JSON.stringify(${change}))' && ${commit}`;
  const record = figures("test/suites/record.json");
  const results = figures("bench/results.json");
  /** The reasons after a change of a file that all figures depend on. */
  const changed = (path: string) =>
    ["test/suites/record.json", "bench/results.json"].map(
      (file) =>
        new RegExp(`${file} is of [0-9a-f]{12}, and this has changed since: ${path}\\. Run \`npm run`),
    );
  /** The commit of a release, which has the same sources as that of its figures. */
  const head = 'require("child_process").execSync("git rev-parse HEAD").toString().slice(0, 12)';

  test.each([
    [
      "of changes that are not committed",
      "echo 1 > notes.txt",
      /uncommitted changes\. Commit or remove them:$/,
    ],
    [
      "of a package with another version",
      `sed -i 's/"version": "[^"]*"/"version": "0.0.1"/' packages/schema/package.json && ${commit}`,
      /packages\/schema\/package\.json has 0\.0\.1 as its version, and package\.json the version /,
      ...changed("packages/schema/package.json"),
    ],
    [
      "of a package that needs another version of one",
      `sed -i 's/"@lading.schema": "[^"]*"/"@lading\\/schema": "0.0.1"/' packages/transform/package.json && ${commit}`,
      /packages\/transform\/package\.json has 0\.0\.1 as @lading\/schema, /,
      ...changed("packages/transform/package.json"),
    ],
    [
      "of a version that the change log does not have",
      `sed -i 's/^## \\[${version}\\] - .*/## [Unreleased]/' CHANGELOG.md && ${commit}`,
      /CHANGELOG\.md has no section of .* Rename its section \[Unreleased\]: /,
    ],
    [
      "of changes that its notes would lack",
      `sed -i '0,/^## /s//## [Unreleased]\\n\\n- A change\\n\\n## /' CHANGELOG.md && ${commit}`,
      /CHANGELOG\.md has entries under \[Unreleased\]\. Move them into the section of/,
    ],
    [
      "of a version without a fixture of its schema",
      `mv test/fixtures/${version}-schema-* test/fixtures/${version}-schema-100 && git add --all && ${commit}`,
      /there is no test\/fixtures\/.*-schema-\d+\. Make it with `npm run fixture`/,
    ],
    [
      "of a version whose suites did not all run",
      record('rows.filter((row) => row.program !== "crash")'),
      /test\/suites\/record\.json lacks crash\. Run `npm run suites -- --save`/,
    ],
    [
      "of a version whose suites ran for another",
      record('rows.map((row) => ({ ...row, version: "0.0.1" }))'),
      /test\/suites\/record\.json is of 0\.0\.1\. /,
    ],
    [
      "of a version whose suites found something wrong",
      record(
        '[...rows, { ...rows.find((row) => row.program === "fuzz"), run: "dumps", wrong: ["a lost row"] }]',
      ),
      /test\/suites\/record\.json has failures of fuzz \(dumps\)\. Fix them first\. Run `npm run suites/,
    ],
    [
      "of a version whose suites did less than all",
      record(
        'rows.map((row) => row.program === "fuzz" ? { ...row, sizes: { ...row.sizes, rounds: 10 } } : row)',
      ),
      /record\.json has less than a release needs: fuzz --rounds 10, not 500\. Run `npm run suites/,
    ],
    [
      "of a version whose suites ran at two commits",
      record(`rows.map((row, i) => (i === 0 ? { ...row, commit: ${head} } : row))`),
      /test\/suites\/record\.json has figures of commit .* and of commit .*\. Run `npm run suites/,
    ],
    [
      "of a version whose suites ran at a commit that this clone lacks",
      record('rows.map((row) => ({ ...row, commit: "0123456789ab" }))'),
      /git does not know the commit 0123456789ab here, of which test\/suites\/record\.json is\. Fetch the whole/,
    ],
    [
      "of other sources than those that the suites ran with",
      `echo >> test/torture/run.ts && ${commit}`,
      /record\.json is of [0-9a-f]{12}, and this has changed since: test\/torture\/run\.ts\. Run `npm run suites/,
    ],
    [
      "of a version of which not all is measured",
      results('rows.filter((row) => row.program !== "million")'),
      /bench\/results\.json lacks million\. Run `npm run bench -- all --save`/,
    ],
    [
      "of figures of two machines",
      results('rows.map((row, i) => (i === 0 ? { ...row, machine: "another" } : row))'),
      /bench\/results\.json has figures of commit .*, another and of commit .*\. Run `npm run bench -- all --save`/,
    ],
    [
      "of other sources than those that were measured",
      `echo >> packages/service/src/errors.ts && ${commit}`,
      ...changed("packages/service/src/errors.ts"),
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
    [
      "without the name of the repository at GitHub",
      "unset GITHUB_REPOSITORY",
      /GITHUB_REPOSITORY is not set\. Set it to the owner and name/,
    ],
    ["outside of a clone", "export GIT_DIR=nowhere", /git finds no commit here\. Run this in a clone/],
  ] as const)("%s", async (name, spoil, ...expected: readonly RegExp[]) => {
    await restore();
    const run = `{ ${spoil}; } > /dev/null; ${process.execPath} scripts/release.ts`;
    const { code, stdout, stderr } = await shell(run, clone, { GITHUB_REPOSITORY: repository });
    expect([code, stdout, readdirSync(clone)]).toEqual([1, "", expect.not.arrayContaining(["dist"])]);
    expect(stderr).toMatch(/^Refused: [\s\S]*\nNothing was made\. `npm run release -- --dry` makes /);
    const reasons = stderr.match(/^Refused: .*$/gm);
    for (const reason of expected) expect(reasons).toContainEqual(expect.stringMatching(reason));
    if (name !== "outside of a clone") expect(reasons).toHaveLength(expected.length);
  });
});

test("a dry run in a clone elsewhere, with another umask, makes the same files, byte by byte", async () => {
  await restore();
  await shell(`git tag --delete ${tag}`, clone);
  await linkDependencies(clone);
  const made = await release(clone, "umask 077 && npm run release -- --dry");
  for (const file of ["SHA256SUMS", "../RELEASE_NOTES.md"])
    expect(readFileSync(join(made, file), "utf8")).toBe(readFileSync(join(files, file), "utf8"));
});

test("a release has packages, SBOM, licences, the record of its suites and the file of the container, and their sums", () => {
  const packages = ["lading", "lading-schema", "lading-transform"].map((name) => `${name}-${version}.tgz`);
  const others = ["Containerfile", "THIRD-PARTY-LICENSES.txt", `lading-${version}.cdx.json`, "suites.json"];
  expect(readdirSync(files).sort()).toEqual([...packages, ...others, "SHA256SUMS"].sort());
  const rows = page("docs/first-hour.md")
    .match(/^\| File of a release [\s\S]*?\n\n/m)?.[0]
    .matchAll(/^\| (`.*?) \|/gm);
  const listed = [...(rows ?? [])].flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "));
  expect(listed.map((name) => name.replace("<version>", version)).sort()).toEqual(readdirSync(files).sort());
});

test("its text is the section of the change log, with links to the files of the tag", () => {
  const notes = readFileSync(join(files, "../RELEASE_NOTES.md"), "utf8");
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
  interface Component {
    name: string;
    group?: string;
    version: string;
    purl: string;
    licenses: { license: object }[];
    components?: Component[];
  }
  const components = (): Component[] => JSON.parse(sbom()).components;
  const inner = () => components().flatMap(({ components: parts = [] }) => parts);

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

  test("has what the files of PGlite and GraphiQL show that they contain", () => {
    const pglite = join(root, "node_modules/@electric-sql/pglite/dist");
    const sources = globSync("**/*.map", { cwd: pglite }).flatMap((file) => {
      const map: { sources: string[] } = JSON.parse(readFileSync(join(pglite, file), "utf8"));
      return map.sources;
    });
    const bundled = sources.flatMap(
      (path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
    );
    const text = readFileSync(join(pglite, "pglite.wasm"), "latin1");
    const data = readFileSync(join(pglite, "pglite.data"), "latin1");
    const graphiql = readFileSync(
      join(root, "node_modules/@graphql-yoga/render-graphiql/esm/graphiql.js"),
      "utf8",
    );
    const fonts = [...graphiql.matchAll(/font-family:([^;{}]+);[^{}]*?src:url\(data:/g)].map(
      ([, name]) => name,
    );
    expect([bundled, fonts]).toEqual([
      expect.arrayContaining(["tinytar"]),
      expect.arrayContaining(["Roboto"]),
    ]);
    const names = inner().map(({ name }) => name);
    expect([...bundled, ...fonts].filter((name) => !names.includes(name ?? ""))).toEqual([]);
    const versions = Object.fromEntries(inner().map(({ name, version: each }) => [name, each]));
    expect(versions).toMatchObject({
      PostgreSQL: /PostgreSQL ([\d.]+) \(PGlite/.exec(text)?.[1],
      Emscripten: /emulating GNU ld\) ([\d.]+)/.exec(text)?.[1],
      ICU: /icudt(\d+)l/.exec(text)?.[1],
    });
    const licences = readFileSync(join(files, "THIRD-PARTY-LICENSES.txt"), "utf8");
    const [, ofIcu = "none"] = /Copyright \S+ ([\d-]+ Unicode, Inc\.)/.exec(data) ?? [];
    expect(licences).toContain(`ICU (Unicode-3.0)\n\nCopyright (c) ${ofIcu}\n`);
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
    for (const { name, licenses } of inner())
      expect(headings).toContain(`${name} (${Object.values(licenses[0]!.license)[0]})`);
    const texts =
      /Permission is hereby granted|Permission to use, copy|Apache License|Redistribution and use|Blue Oak|CC0|Creative Commons|SIL OPEN FONT|provided 'as-is'/;
    expect(parts.filter((part) => !texts.test(part)).map((part) => part.slice(0, 200))).toEqual([]);
    expect(text).not.toMatch(/<(?:year|copyright holders?)>/);
  });
});

test("the image is built from the package and the Containerfile of a release alone", async () => {
  const file = readFileSync(join(files, "Containerfile"), "utf8").replaceAll("\\\n", " ");
  const [, pattern, to] = /^COPY (\S+) (\/\S+)$/m.exec(file) ?? [];
  const [, command = ""] = /^RUN (npm .*)$/m.exec(file) ?? [];
  const copied = join(home, "package");
  const app = join(home, "app");
  for (const folder of [copied, app]) mkdirSync(folder);
  await shell(`cp ${pattern} "${copied}"`, files);
  expect(readdirSync(copied)).toEqual([`lading-${version}.tgz`]);
  // Without a network: the rest is in the package.
  const env = { npm_config_offline: "true", npm_config_cache: join(home, "cache") };
  expect(await shell(command.replaceAll(to ?? "", `"${copied}"/`), app, env)).toMatchObject({ code: 0 });
  const path = /^ENV PATH=(\S+?):/m.exec(file)?.[1]?.replace("/app", app);
  const [program] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(file)?.[1] ?? "[]");
  const started = await shell(`${program} --version`, home, { PATH: `${path}:${process.env.PATH}` });
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining(`${version} (commit `) });
  const { stdout } = await shell(`tar -xzOf lading-${version}.tgz package/deploy/Containerfile`, files);
  expect(stdout).toBe(readFileSync(join(files, "Containerfile"), "utf8"));
  const { stdout: packed } = await shell(`tar -tzf lading-${version}.tgz`, files);
  expect(packed).toContain("package/deploy/compose.yaml");
});
