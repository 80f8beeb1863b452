/**
 * Which way imports point. A line may import from the lines below it, neither from those above nor from its
 * neighbours on the same line. `app` and `index` know everything.
 */
export const serviceLayers: readonly (readonly string[])[] = [
  ["app", "index"],
  ["telemetry"],
  ["http", "graphql", "runner"],
  ["commands", "tasks", "template-helpers"],
  ["domain"],
  ["templates", "media", "responses", "webhooks"],
  ["tenants", "uploads"],
  ["storage"],
  ["errors", "settings"],
  ["system"],
];

/** The same for the folders of the domain, none of which knows everything. */
const domainLayers: readonly (readonly string[])[] = [
  [],
  ["dump"],
  ["flow"],
  ["subscription-contract", "order", "customer", "topic", "item", "image"],
  ["price-list", "shape", "variant", "path"],
  ["content", "settings", "tree", "write-commands"],
  ["content-rules", "command"],
  ["payload", "merge"],
];

/** Which workspaces a workspace may import, by folder. */
const packageImports: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  transform: ["schema"],
  service: ["schema"],
  cli: ["schema", "transform", "service"],
  console: ["schema"],
};

/** A source file: its path from the repository's root, with `/`, and its text. */
export interface Source {
  path: string;
  text: string;
}

/** Every import that points the wrong way, as one line of text each. */
export function wrongImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    specifiersOf(source.text).flatMap((specifier) => {
      const reason = objection(source.path, specifier);
      return reason === undefined ? [] : [`${source.path} imports "${specifier}": ${reason}`];
    }),
  );
}

const importPatterns = [
  /^\s*(?:import|export)\s[^"';]*?\bfrom\s*["']([^"']+)["']/gm,
  /^\s*import\s*["']([^"']+)["']/gm,
  /\bimport\(\s*["']([^"']+)["']/g,
];

export function specifiersOf(text: string): string[] {
  return importPatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, specifier = ""]) => specifier),
  );
}

function objection(path: string, specifier: string): string | undefined {
  const [, from] = path.split("/");
  const workspace = workspaceOf(specifier);
  if (from === undefined) return undefined;
  if (workspace !== undefined) return packageObjection(from, workspace);
  if (!specifier.startsWith(".")) return undefined;
  const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
  if (!target.startsWith(`packages/${from}/`)) return "it leaves its package; import the other by its name";
  if (from !== "service") return undefined;
  const [above, below] = [partOf(path), partOf(target)];
  if (above !== "domain" || below !== "domain") return layerObjection(serviceLayers, above, below);
  return layerObjection(domainLayers, partOf(path, 4), partOf(target, 4));
}

/** `@lading/service/settings` → `service`, `lading/main` → `cli` */
function workspaceOf(specifier: string): string | undefined {
  return /^lading(\/|$)/.test(specifier) ? "cli" : /^@lading\/([^/]+)/.exec(specifier)?.[1];
}

function packageObjection(from: string, to: string): string | undefined {
  const allowed = packageImports[from] ?? [];
  if (allowed.includes(to)) return undefined;
  return `${from} may import ${allowed.length === 0 ? "no other package" : allowed.join(", ")}`;
}

/** `packages/service/src/domain/item/find.ts` and `packages/service/src/errors.ts` → `domain`, `errors` */
function partOf(path: string, depth = 3): string {
  return (path.split("/")[depth] ?? "").replace(/\.ts$/, "");
}

function layerObjection(
  layers: readonly (readonly string[])[],
  from: string,
  to: string,
): string | undefined {
  if (from === to) return undefined;
  const [above, below] = [layerOf(layers, from), layerOf(layers, to)];
  const unknown = above === -1 ? from : below === -1 ? to : undefined;
  if (unknown !== undefined)
    return `scripts/lint/import-rules.ts does not say which layer "${unknown}" is in`;
  if (above === 0 || above < below) return undefined;
  const allowed = layers.slice(above + 1).flat();
  return `${from} may import ${allowed.join(", ") || "nothing else of its package"}`;
}

function layerOf(layers: readonly (readonly string[])[], part: string): number {
  return layers.findIndex((layer) => layer.includes(part));
}
