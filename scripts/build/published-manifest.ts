/** The parts of a `package.json` of the workspace that differ in the published one, or that the build reads. */
export interface Manifest {
  name: string;
  version: string;
  files: string[];
  exports: Record<string, string>;
  scripts?: Record<string, string>;
}

/** The manifest of the published package: its exports are what the sources of the workspace's were compiled to. */
export function publishedManifest({ scripts: _, ...manifest }: Manifest, gitHead: string | undefined) {
  const exports = Object.entries(manifest.exports).map(([name, path]) => [name, published(path)]);
  return { ...manifest, exports: Object.fromEntries(exports), gitHead };
}

function published(path: string): string | { types: string; default: string } {
  const source = /^\.\/src\/(.+)\.ts$/.exec(path)?.[1];
  return source === undefined ? path : { types: `./dist/${source}.d.ts`, default: `./dist/${source}.js` };
}
