/** The parts of a `package.json` of the workspace that differ in the published one, or that the build reads. */
export interface Manifest {
  name: string;
  version: string;
  files: string[];
  exports: Record<string, string>;
  /** By name and condition. */
  imports?: Record<string, Record<string, string>>;
  scripts?: Record<string, string>;
}

/** The manifest of the published package: exports and imports are what the workspace's were compiled to. */
export function publishedManifest({ scripts: _, ...manifest }: Manifest, gitHead: string | undefined) {
  const exports = Object.entries(manifest.exports).map(([name, path]) => [name, published(path)]);
  const imports = Object.entries(manifest.imports ?? {}).map(([name, paths]) => [name, compiled(paths)]);
  return {
    ...manifest,
    ...(imports.length > 0 && { imports: Object.fromEntries(imports) }),
    exports: Object.fromEntries(exports),
    gitHead,
  };
}

const compiled = (paths: Record<string, string>) =>
  Object.fromEntries(Object.entries(paths).map(([condition, path]) => [condition, published(path)]));

function published(path: string): string | { types: string; default: string } {
  const source = /^\.\/src\/(.+)\.ts$/.exec(path)?.[1];
  return source === undefined ? path : { types: `./dist/${source}.d.ts`, default: `./dist/${source}.js` };
}
