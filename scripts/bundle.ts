/**
 * Bundles the `lading` command and its service, with what they depend on, which halves the time that they take to
 * start. All chunks are in one folder. The files that the sources read at run time keep their places below it, as in
 * `packages`, and the modules look for them there.
 */
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";

/** The parts of a workspace's `package.json` that the build reads. */
export interface Manifest {
  name: string;
  version: string;
  type: string;
  engines: { node: string };
  files: string[];
  exports: Record<string, string>;
  dependencies: Record<string, string>;
  license: string;
  devDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
  bundleDependencies?: readonly string[];
  optionalDependencies?: Record<string, string>;
  /** By name and condition. */
  imports?: Record<string, Record<string, string>>;
}

const packages = fileURLToPath(new URL("../packages", import.meta.url));

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"));

/**
 * The dependencies of the package with the bundle: WebAssembly that finds its files itself, which goes along in the
 * package, and native code, which npm gets from its registry for each platform.
 */
export function dependenciesOfBundle(): Pick<Manifest, "dependencies" | "optionalDependencies"> {
  const { dependencies, optionalDependencies = {} } = manifestOf("service");
  const pglite = "@electric-sql/pglite";
  return { dependencies: { [pglite]: dependencies[pglite]! }, optionalDependencies };
}

/**
 * Writes the bundle into the folder `target`.
 * @param gitHead the commit that `lading --version` prints
 * @param programs other sources to bundle, which then start as quickly
 * @param plugins what else sees the modules
 */
export async function bundle(
  target: string,
  {
    gitHead,
    programs = [],
    plugins = [],
  }: { gitHead?: string | undefined; programs?: readonly string[]; plugins?: readonly Plugin[] } = {},
): Promise<void> {
  const { dependencies, optionalDependencies } = dependenciesOfBundle();
  const installed = [...Object.keys(dependencies), ...Object.keys(optionalDependencies ?? {})];
  const build = await rolldown({
    input: [...["main", "index"].map((name) => join(packages, "cli/src", `${name}.ts`)), ...programs],
    platform: "node",
    transform: { target: manifestOf("cli").engines.node.replace(">=", "node") },
    // `pg-native` is what `pg` looks for.
    external: (name) => name === "pg-native" || installed.some((each) => `${name}/`.startsWith(`${each}/`)),
    plugins: [places, ...plugins],
  });
  await build.write({ dir: target, chunkFileNames: "[name].js" });
  await build.close();
  for (const file of globSync("{service/src/**/*.*,schema/*.schema.json}", { cwd: packages }))
    if (!file.endsWith(".ts")) cpSync(join(packages, file), join(target, file));
  cpSync(join(packages, "../docs"), join(target, "../docs"), { recursive: true });
  const { version, type } = manifestOf("service");
  writeFileSync(join(target, "service/package.json"), JSON.stringify({ version, type, gitHead }));
}

/** Makes modules look for files at their place in the folder, instead of next to their chunk. */
const places: Plugin = {
  name: "places",
  transform: {
    filter: { id: /\/packages\/\w+\/src\/.*\.ts$/, code: /import\.meta\./ },
    handler(code, id) {
      const place = relative(packages, id).replace(/\.ts$/, ".js");
      const below = (path: string) => `(import.meta.dirname + ${JSON.stringify(`/${path}`)})`;
      return code
        .replace(/\bimport\.meta\.dirname\b/g, below(dirname(place)))
        .replace(/\bimport\.meta\.filename\b/g, below(place))
        .replace(/\bimport\.meta\.url\b/g, `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  },
};
