/**
 * `npm run build`: writes the packages as published into dist/<folder>: JavaScript, source maps and
 * declarations, with a manifest whose exports name them. `npm pack ./dist/<folder>` packs one.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { versionAndCommit } from "../packages/service/src/system/version.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync("dist", { recursive: true, force: true });
await import("./generate-graphql-types.ts");
const compiled = spawnSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"],
  {
    stdio: "inherit",
  },
);
if (compiled.status !== 0) process.exit(1);
// Not into packages/console/dist, which services of this repository serve meanwhile.
const page = ["--outDir", "../../dist/console/dist", "--emptyOutDir"];
const vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "packages/console", ...page];
const bundled = spawnSync(process.execPath, vite, { stdio: "inherit" });
if (bundled.status !== 0) process.exit(1);
const { commit } = versionAndCommit();
for (const folder of globSync("packages/*")) build(folder, join("dist", basename(folder)));

function build(source: string, target: string): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  // The console is a page built by Vite; the others are what the compiler wrote.
  if (!existsSync(join(source, "index.html"))) moveCompiled(source, target, manifest);
  const copied = manifest.files.filter((name) => name !== "dist" && !name.startsWith("!"));
  for (const name of ["README.md", "LICENSE", ...copied]) {
    const own = join(source, name);
    cpSync(existsSync(own) ? own : name, join(target, name), { recursive: true });
  }
  const text = JSON.stringify(publishedManifest(manifest, commit), null, 2);
  writeFileSync(join(target, "package.json"), `${text}\n`);
  console.log(`${manifest.name} ${manifest.version}: ${target}`);
}

function moveCompiled(source: string, target: string, manifest: Manifest): void {
  renameSync(join(target, "src"), join(target, "dist"));
  for (const file of globSync("**/*.*", { cwd: join(source, "src") }))
    if (!file.endsWith(".ts")) cpSync(join(source, "src", file), join(target, "dist", file));
  for (const file of globSync(join(target, "dist/**/*.{d.ts,map}"))) rewrite(file);
  const published = JSON.stringify(publishedManifest(manifest, undefined));
  const reached = new Set<string>();
  for (const [, entry] of published.matchAll(/"types":"([^"]*)"/g)) reach(join(target, entry!), reached);
  for (const file of globSync(join(target, "dist/**/*.d.ts"))) if (!reached.has(file)) rmSync(file);
}

/** Adds a declaration and those that it imports: others are of no use, and may name types that are not published. */
function reach(file: string, reached: Set<string>): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(/\b(?:from |import\()"(\.[^"]*)\.js"/g))
    reach(join(dirname(file), `${path}.d.ts`), reached);
}

/** Declarations import `.js` files, as the code does; source maps name sources relative to a package's folder. */
function rewrite(file: string): void {
  const text = readFileSync(file, "utf8");
  const rewritten = file.endsWith(".map")
    ? text.replace(/"sources":\["(?:\.\.\/)+packages\/\w+\/(src\/[^"]+)"\]/, (_, path: string) => {
        const up = "../".repeat(path.split("/").length - 1);
        return `"sources":["${up}${path}"]`;
      })
    : text.replace(/((?:\bfrom |\bimport\()"\.[^"]*)\.ts"/g, '$1.js"');
  writeFileSync(file, rewritten);
}

/** The parts of a workspace's `package.json` that differ in the published one, or that the build reads. */
interface Manifest {
  name: string;
  version: string;
  files: string[];
  exports: Record<string, string>;
  /** By name and condition. */
  imports?: Record<string, Record<string, string>>;
  scripts?: Record<string, string>;
}

/** The published package's manifest: exports and imports point to the compiled files. */
function publishedManifest({ scripts: _, ...manifest }: Manifest, gitHead: string | undefined) {
  const exports = Object.entries(manifest.exports).map(([name, path]) => [name, published(path)]);
  const imports = Object.entries(manifest.imports ?? {}).map(([name, paths]) => {
    const compiled = Object.entries(paths).map(([condition, path]) => [condition, published(path)]);
    return [name, Object.fromEntries(compiled)];
  });
  return {
    ...manifest,
    ...(imports.length > 0 && { imports: Object.fromEntries(imports) }),
    exports: Object.fromEntries(exports),
    gitHead,
  };
}

function published(path: string): string | { types: string; default: string } {
  const source = /^\.\/src\/(.+)\.ts$/.exec(path)?.[1];
  return source === undefined ? path : { types: `./dist/${source}.d.ts`, default: `./dist/${source}.js` };
}
