import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The direction of imports. A line may import from the lines below it, but neither from those above nor from
 * its neighbours on the same line. `app` and `index` may import everything.
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

/** The same for the folders of the domain, none of which may import everything. `*` is each that is not named. */
const domainLayers: readonly (readonly string[])[] = [
  [],
  ["export"],
  ["dump"],
  ["flow"],
  ["*"],
  ["price-list", "shape", "variant", "path"],
  ["content", "settings", "tree", "write-commands"],
  ["content-rules", "command"],
  ["payload", "merge"],
];

const packageImports: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  transform: ["schema"],
  service: ["schema"],
  cli: ["schema", "transform", "service"],
  console: ["schema", "transform"],
};

/** A source file: its path from the repository's root, with `/`, and its text. */
export interface Source {
  path: string;
  text: string;
}

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

function specifiersOf(text: string): string[] {
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
  const named = layers.findIndex((layer) => layer.includes(part));
  return named === -1 ? layers.findIndex((layer) => layer.includes("*")) : named;
}

/** The types of content are recursive: a chunk, a choice or a piece contains components. This imports no values. */
const recursiveTypes = /^packages\/schema\/src\/components\//;

/** Groups of sources that import each other in a circle, types included; one line of text each. */
export function importCircles(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, targetsOf(source)]));
  const reach = (from: string): Set<string> => {
    const reached = new Set<string>();
    const open = [...(imports.get(from) ?? [])];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      open.push(...(imports.get(path) ?? []));
    }
    return reached;
  };
  const reached = new Map(sources.map(({ path }) => [path, reach(path)]));
  const circles = sources
    .filter(({ path }) => reached.get(path)?.has(path))
    .map(({ path }) => [...(reached.get(path) ?? [])].filter((other) => reached.get(other)?.has(path)));
  const wrong = circles.filter((circle) => !circle.every((path) => recursiveTypes.test(path)));
  return [...new Set(wrong.map((circle) => circle.toSorted().join(", ")))].map(
    (circle) => `These import each other in a circle: ${circle}`,
  );
}

const targetsOf = ({ path, text }: Source) =>
  specifiersOf(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1));

const storage = "packages/service/src/storage/";

/** A string that begins like a statement, or a condition in SQL passed to a unit of work. */
const sqlPatterns = [
  /["'`]\s*(?:WITH\s+(?:RECURSIVE\s+)?\w+\s+(?:\(|AS)|SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s)[^\n]{0,40}/,
  /["'`]\s*(?:SET\s+CONSTRAINTS|(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX)|TRUNCATE|LOCK\s+TABLE)\s[^\n]{0,40}/,
  /\bunit\s*\.\s*(?:ask|select)\s*[<(][^\n]{0,40}/,
];

/** Every file outside of storage that contains SQL, as one line of text each. */
export function misplacedSql(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !path.startsWith(storage))
    .flatMap(({ path, text }) => {
      const match = sqlPatterns.map((pattern) => pattern.exec(text)).find((result) => result !== null);
      return match ? [`${path} has SQL: ${match[0].trim()} … Statements are in ${storage}`] : [];
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = globSync("packages/*/src/**/*.{ts,tsx}").map((path) => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(path, "utf8"),
  }));
  const wrong = [...wrongImports(sources), ...importCircles(sources), ...misplacedSql(sources)];
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
  else console.log(`Checked the imports of ${sources.length} files.`);
}
