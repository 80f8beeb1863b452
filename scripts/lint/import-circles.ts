import { type Source, specifiersOf } from "./import-rules.ts";

/** The types of content are recursive: a chunk, a choice or a piece contains components. No values are imported so. */
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
