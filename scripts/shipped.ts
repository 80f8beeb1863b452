/**
 * The packages of others that the package `lading` contains: those whose modules are in its bundles, and those that it
 * brings whole. Its licences and its SBOM are made from this list.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import type { Plugin } from "rolldown";

/** The fields of a package's manifest that its licence and its entry of the SBOM are made from. */
export interface Shipped {
  folder: string;
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
  repository?: string | { url: string };
}

/** Licences that allow to pass a package on in a bundle under MIT, if its text goes along. */
const permissive = ["0BSD", "Apache-2.0", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT"];

interface Inner {
  name: string;
  version?: string;
  license: string;
  holder: string;
}

/** Parts of packages that are compiled in or bundled already, so that no manifest names them. */
const inside: Readonly<Record<string, readonly Inner[]>> = {
  "@electric-sql/pglite": [
    {
      name: "PostgreSQL",
      version: "18.6",
      license: "PostgreSQL",
      holder:
        "1996-2026, PostgreSQL Global Development Group, and 1994, The Regents of the University of California",
    },
    {
      name: "Snowball",
      license: "BSD-3-Clause",
      holder:
        "2001, Dr Martin Porter, 2004-2005, Richard Boulton, 2013, Yoshiki Shibukawa, 2006-2019, Olly Betts",
    },
    { name: "ICU", version: "76", license: "Unicode-3.0", holder: "2016-2024 Unicode, Inc." },
    { name: "libxml2", license: "MIT", holder: "1998-2012 Daniel Veillard" },
    { name: "zlib", version: "1.3.2", license: "Zlib", holder: "1995-2026 Jean-loup Gailly and Mark Adler" },
    { name: "Emscripten", version: "6.0.13", license: "MIT", holder: "2010-2014 Emscripten authors" },
    { name: "musl", license: "MIT", holder: "2005-2020 Rich Felker, et al." },
    { name: "pg-protocol", license: "MIT", holder: "2010-2021 Brian Carlson" },
    { name: "async-mutex", version: "0.4.1", license: "MIT", holder: "2016 Christian Speckner" },
    { name: "tinytar", version: "0.1.0", license: "MIT", holder: "2016 Levko Kravets" },
    { name: "tsup", version: "8.5.1", license: "MIT", holder: "2021 EGOIST" },
  ],
  "@graphql-yoga/render-graphiql": [
    { name: "graphiql", license: "MIT", holder: "GraphQL Contributors" },
    { name: "monaco-editor", license: "MIT", holder: "2016-present Microsoft Corporation" },
    { name: "prettier", license: "MIT", holder: "James Long and contributors" },
    { name: "react", license: "MIT", holder: "Meta Platforms, Inc. and affiliates" },
    { name: "codicon", license: "CC-BY-4.0", holder: "Microsoft Corporation" },
    { name: "Roboto", version: "2.137", license: "Apache-2.0", holder: "2011 Google Inc." },
    {
      name: "Fira Code",
      version: "5.002",
      license: "OFL-1.1",
      holder: "2014-2020 The Fira Code Project Authors",
    },
  ],
};

const require = createRequire(import.meta.url);

/** Makes a plugin of Rolldown and Vite that adds the ids of the modules in the chunks that are written. */
export const collectModules = (modules: Set<string>): Plugin => ({
  name: "collect-modules",
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === "chunk") for (const id of file.moduleIds) modules.add(id);
  },
});

/**
 * Lists the packages of modules, each version once, by name. A bundler that adds code of its own is one of them.
 * @param whole folders of packages that are shipped as they are
 * @throws Error when one has a licence that is not known to be permissive, or no text of it can be had
 */
export function shippedPackages(modules: Iterable<string>, whole: readonly string[]): Shipped[] {
  const folders = new Set(whole);
  for (const id of modules) {
    const [, bundler] = /^\0(rolldown|vite)\//.exec(id) ?? [];
    const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
    if (bundler !== undefined) folders.add(join(import.meta.dirname, "../node_modules", bundler));
    if (folder !== undefined) folders.add(folder);
  }
  const byVersion = new Map<string, Shipped>();
  for (const folder of folders) {
    const manifest: Omit<Shipped, "folder"> = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    byVersion.set(`${manifest.name} ${manifest.version}`, { ...manifest, folder });
  }
  const packages = [...byVersion.keys()].sort().map((key) => byVersion.get(key)!);
  const refused = packages.filter(({ license = "" }) => !permissive.includes(license));
  if (refused.length === 0) return packages;
  const list = refused.map(
    ({ name, version, license }) => `  ${name} ${version}: ${license ?? "no licence"}`,
  );
  throw new Error(
    `The package would contain code under licences that are not known to be permissive:\n${list.join("\n")}\n` +
      "Replace the package, or add its licence to `permissive` in scripts/shipped.ts if it asks for no more than " +
      "its text.",
  );
}

/** The licences of the packages, one after the other. */
export function licencesOf(packages: readonly Shipped[]): string {
  const rule = `\n${"-".repeat(80)}\n\n`;
  const others = packages.flatMap(({ name }) => inside[name] ?? []);
  return [
    ...packages.map((each) => `${each.name} ${each.version} (${each.license})\n\n${licenceText(each)}\n`),
    ...others.map(
      ({ name, license, holder }) =>
        `${name} (${license})\n\nCopyright (c) ${holder}\n\n${standardText(license)}\n`,
    ),
  ].join(rule);
}

/** Reads the licence from files of the package or its README; else takes the text of its licence, for its author. */
function licenceText({ folder, author, repository, license = "", name }: Shipped): string {
  const files = globSync("*", { cwd: folder })
    .filter((file) =>
      /^(?:licen[cs]e|(?:copyright|thirdparty)?notices?|third-party-licen[cs]e)\b/i.test(file),
    )
    .sort();
  if (files.length > 0)
    return files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  const readme = join(folder, "README.md");
  const text = existsSync(readme) ? readFileSync(readme, "utf8") : "";
  const [, section] = /^#+ licen[cs]e\s*\n([^#]*Permission is hereby granted[^#]*)/im.exec(text) ?? [];
  if (section !== undefined) return section.trim();
  const url = typeof repository === "string" ? repository : (repository?.url ?? name);
  const holder = (typeof author === "string" ? author : author?.name) || `the authors of ${url}`;
  return `Copyright (c) ${holder}\n\n${standardText(license)}`;
}

/** The text of a licence by its SPDX identifier, without the line of a holder. */
function standardText(license: string): string {
  const { licenseText }: { licenseText: string } = require(`spdx-license-list/licenses/${license}.json`);
  return licenseText.replace(/^(?:Portions )?Copyright .*\n+/gm, "").trim();
}

/** Writes the SBOM of a package that contains others, in the JSON of CycloneDX. */
export function sbomOf(
  product: { name: string; version: string; license: string },
  packages: readonly Shipped[],
): string {
  const licences = new Contrib.License.Factories.LicenseFactory(() => {});
  const references = new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory();
  const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(references, licences);
  const component = (manifest: { name: string; version: string }, type: Enums.ComponentType) => {
    const made = builder.makeComponent(manifest, type)!;
    made.bomRef.value = `pkg:npm/${manifest.name.replace("@", "%40")}@${manifest.version}`;
    made.purl = made.bomRef.value;
    return made;
  };
  const root = component(product, Enums.ComponentType.Application);
  // Without a time and a serial number: the same commit has the same SBOM.
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) });
  for (const each of packages) {
    const library = component(each, Enums.ComponentType.Library);
    for (const { name, version, license } of inside[each.name] ?? []) {
      const licenses = new Models.LicenseRepository([licences.makeFromString(license)]);
      const bomRef = `${library.bomRef.value}#${name}`;
      const more = { bomRef, licenses, ...(version !== undefined && { version }) };
      library.components.add(new Models.Component(Enums.ComponentType.Library, name, more));
    }
    bom.components.add(library);
    root.dependencies.add(library.bomRef);
  }
  const normalizers = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(normalizers).serialize(bom, { sortLists: true, space: 2 });
}
