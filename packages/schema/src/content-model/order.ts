import type { ComponentDefinition } from "../components/component.ts";

export interface Piece {
  identifier: string;
  name: string;
  components: ComponentDefinition[];
}

export interface Shape extends Piece {
  type: "product" | "document" | "folder";
  meta?: { key: string; value?: string | null } | null;
  variantComponents?: ComponentDefinition[];
}

/** All shapes and pieces of a tenant, ordered by identifier. */
export interface ContentModel {
  shapes: Shape[];
  pieces: Piece[];
}

/** A shape or piece in order: complete, or a first version without the lists that close a cycle. */
export interface ContentModelStep {
  kind: "piece" | "shape";
  definition: Partial<Shape> & Pick<Shape, "identifier" | "name">;
}

interface Node {
  kind: ContentModelStep["kind"];
  definition: Piece & Partial<Shape>;
}

const lists = ["components", "variantComponents"] as const;

/**
 * Orders shapes and pieces so that each comes after those it uses. Where they form a cycle, one of them comes
 * twice: first without the component lists that close the cycle. An absent list changes nothing in the
 * tenant, so the first version empties nothing.
 */
export function contentModelSteps({ shapes, pieces }: ContentModel): ContentModelStep[] {
  const nodes = new Map<string, Node>([
    ...pieces.map((definition) => [`piece ${definition.identifier}`, { kind: "piece", definition }] as const),
    ...shapes.map((definition) => [`shape ${definition.identifier}`, { kind: "shape", definition }] as const),
  ]);
  const steps: ContentModelStep[] = [];
  const [open, there] = [new Set<string>(), new Set<string>()];
  const isMissing = (key: string) => nodes.has(key) && !there.has(key);

  const visit = (key: string): void => {
    const { kind, definition } = nodes.get(key)!;
    open.add(key);
    for (const used of lists.flatMap((list) => usesOf(definition[list]))) {
      if (!isMissing(used)) continue;
      if (open.has(used)) begin(used);
      else visit(used);
    }
    steps.push({ kind, definition });
    there.add(key);
    open.delete(key);
  };

  const begin = (key: string): void => {
    const { kind, definition } = nodes.get(key)!;
    const firstVersion: ContentModelStep["definition"] = { ...definition };
    for (const list of lists) if (usesOf(definition[list]).some(isMissing)) delete firstVersion[list];
    steps.push({ kind, definition: firstVersion });
    there.add(key);
  };

  for (const key of nodes.keys()) if (!there.has(key)) visit(key);
  return steps;
}

/** Returns the keys of the pieces that definitions use and the shapes they accept, at any depth. */
function usesOf(definitions: readonly ComponentDefinition[] = []): string[] {
  return definitions.flatMap(({ config = {} }) => {
    const { piece, itemRelations, contentChunk, componentChoice, componentMultipleChoice } = config;
    return [
      ...(piece ? [`piece ${piece.identifier}`] : []),
      ...(itemRelations?.acceptedShapeIdentifiers ?? []).map((identifier) => `shape ${identifier}`),
      ...usesOf(contentChunk?.components),
      ...usesOf(componentChoice?.choices),
      ...usesOf(componentMultipleChoice?.choices),
    ];
  });
}
