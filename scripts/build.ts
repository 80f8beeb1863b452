/**
 * `npm run build`: writes the packages as published into dist/<folder>, each with a manifest whose exports name what
 * was built: the command with its service and console as one bundle, libraries as JavaScript and source maps, and the
 * declarations of both. `npm pack ./dist/<folder>` packs one. The same commit has the same files, byte by byte, with
 * the same GITHUB_REPOSITORY, which the manifests name.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build as buildPage } from "vite";
import { versionAndCommit } from "../packages/service/src/system/version.ts";
import { bundle, dependenciesOfBundle, type Manifest, manifestOf } from "./bundle.ts";
import { collectModules, licencesOf, sbomOf, shippedPackages } from "./shipped.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { commit: gitHead } = versionAndCommit();
const { GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server = "https://github.com" } = process.env;
rmSync("dist", { recursive: true, force: true });
await import("./generate-graphql-types.ts");
run("typescript/bin/tsc", "-p", "tsconfig.build.json");
for (const file of globSync("dist/**/*.{d.ts,map}")) rewrite(file);
for (const folder of ["schema", "transform"]) buildLibrary(folder);
await buildCommand();

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join("node_modules", program), ...args], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(1);
}

function buildLibrary(folder: string): void {
  const [source, target] = [join("packages", folder), join("dist", folder)];
  renameSync(join(target, "src"), join(target, "dist"));
  for (const file of globSync("**/*.*", { cwd: join(source, "src") }))
    if (!file.endsWith(".ts")) cpSync(join(source, "src", file), join(target, "dist", file));
  const manifest = manifestOf(folder);
  const built = (path: string, type: string) => path.replace(/^\.\/src\/(.+)\.ts$/, `./dist/$1${type}`);
  const reached = new Set<string>();
  const imports = Object.values(manifest.imports ?? {}).flatMap((paths) => Object.values(paths));
  for (const path of [...Object.values(manifest.exports), ...imports]) {
    const declaration = built(path, ".d.ts");
    if (declaration !== path) reach(join(target, declaration), reached);
  }
  for (const file of globSync(join(target, "dist/**/*.d.ts"))) if (!reached.has(file)) rmSync(file);
  pack(folder, manifest, built);
}

/** The bundle's declarations, those of the service among them, keep their places as its other files do. */
async function buildCommand(): Promise<void> {
  const manifest = { ...manifestOf("cli"), ...dependenciesOfBundle() };
  const target = "dist/cli/dist";
  const modules = new Set<string>();
  await bundle(target, { gitHead, plugins: [collectModules(modules)] });
  const reached = new Set<string>();
  const declaration = (path: string) => path.replace("./src/", "cli/src/").replace(/\.ts$/, ".d.ts");
  for (const path of Object.values(manifest.exports))
    if (path.endsWith(".ts")) reach(join("dist", declaration(path)), reached);
  for (const file of reached) cpSync(file, join(target, relative("dist", file)));
  for (const compiled of ["dist/cli/src", "dist/service"]) rmSync(compiled, { recursive: true });
  await buildConsole(join(target, "console/dist"), modules);
  const whole = Object.keys(manifest.dependencies).map((name) => join("node_modules", name));
  // Without PGlite's extensions, which the service does not use: one of them contains OpenSSL.
  const filter = (path: string) => !path.endsWith(".tar.gz");
  for (const folder of whole) cpSync(folder, join("dist/cli", folder), { recursive: true, filter });
  const shipped = shippedPackages(modules, whole);
  writeFileSync("dist/cli/THIRD-PARTY-LICENSES.txt", licencesOf(shipped));
  writeFileSync("dist/cli/sbom.cdx.json", sbomOf(manifest, shipped));
  pack("cli", { ...manifest, bundleDependencies: Object.keys(manifest.dependencies) }, (path, type) =>
    path.replace(/^\.\/src\/(.+)\.ts$/, type === ".js" ? "./dist/$1.js" : `./dist/cli/src/$1${type}`),
  );
}

/** Builds the page, not into packages/console/dist, which services of this repository serve meanwhile. */
async function buildConsole(target: string, modules: Set<string>): Promise<void> {
  process.env.NODE_ENV = "production"; // a test has another
  await buildPage({
    root: "packages/console",
    logLevel: "warn",
    build: { outDir: resolve(target), emptyOutDir: true },
    plugins: [collectModules(modules)],
    worker: { plugins: () => [collectModules(modules)] },
  });
}

/** Adds a declaration and those that it imports: others are of no use, and may name types that are not published. */
function reach(file: string, reached: Set<string>): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(/\b(?:from |import\()"(\.[^"]*)\.js"/g))
    reach(join(dirname(file), `${path}.d.ts`), reached);
}

/**
 * Declarations import `.js` files, as the code does, and the service by its place; source maps name sources relative to
 * a package's folder.
 */
function rewrite(file: string): void {
  const text = readFileSync(file, "utf8");
  const service = relative(dirname(file), "dist/service/src/index.js");
  const rewritten = file.endsWith(".map")
    ? text.replace(/"sources":\["(?:\.\.\/)+packages\/\w+\/(src\/[^"]+)"\]/, (_, path: string) => {
        const up = "../".repeat(path.split("/").length - 1);
        return `"sources":["${up}${path}"]`;
      })
    : text
        .replace(/((?:\bfrom |\bimport\()"\.[^"]*)\.ts"/g, '$1.js"')
        .replace('"@lading/service"', `"${service}"`);
  writeFileSync(file, rewritten);
}

/** Adds the manifest and the files that a package has apart from its code; `built` names the file of a source. */
function pack(
  folder: string,
  manifest: Manifest,
  built: (path: string, type: ".js" | ".d.ts") => string,
): void {
  const [source, target] = [join("packages", folder), join("dist", folder)];
  const copied = manifest.files.filter((name) => name !== "dist" && !name.startsWith("!"));
  for (const name of ["README.md", "LICENSE", ...copied]) {
    const own = join(source, name);
    if (existsSync(join(target, name))) continue;
    cpSync(existsSync(own) ? own : name, join(target, name), { recursive: true });
  }
  const published = (path: string) =>
    path.endsWith(".ts") ? { types: built(path, ".d.ts"), default: built(path, ".js") } : path;
  const imports = Object.entries(manifest.imports ?? {}).map(([name, paths]) => {
    const compiled = Object.entries(paths).map(([condition, path]) => [condition, published(path)]);
    return [name, Object.fromEntries(compiled)];
  });
  const exports = Object.entries(manifest.exports).map(([name, path]) => [name, published(path)]);
  const { scripts: _, devDependencies: __, ...rest } = manifest;
  const text = JSON.stringify(
    {
      ...rest,
      ...(repository && {
        repository: { type: "git", url: `git+${server}/${repository}.git`, directory: source },
      }),
      ...(imports.length > 0 && { imports: Object.fromEntries(imports) }),
      exports: Object.fromEntries(exports),
      gitHead,
    },
    null,
    2,
  );
  writeFileSync(join(target, "package.json"), `${text}\n`);
  // What a clone has depends on the umask.
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) chmodSync(file, statSync(file).mode & 0o100 ? 0o755 : 0o644);
  }
  console.log(`${manifest.name} ${manifest.version}: ${target}`);
}
