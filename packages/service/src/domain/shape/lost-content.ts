import { type ComponentDefinition, ceilings, holdsSame, isShared, keyOf } from "@lading/schema/internal";
import type { ContentLocation } from "../../storage/queries/content-counts.ts";
import type { ComponentList } from "../content/compiled-content.ts";

type Definitions = readonly ComponentDefinition[];
type Lists = Readonly<Partial<Record<ComponentList, Definitions>>>;

/** The location of a list of components: as a user names it, and as a JSON path in stored content. */
interface Level {
  location: string;
  path: string;
}

const lists = ["components", "variantComponents"] as const;

/** The locations of the components that a shape lost in an update: removed, or of another type. */
export const lostByShape = (before: Lists, after: Lists): ContentLocation[] =>
  lists.flatMap((list) =>
    lost(before[list], after[list], { location: list, path: "$[*]" }).map((location) => ({
      ...location,
      list,
    })),
  );

/** The same for a piece, whose content may be anywhere in an item or a variant. */
export const lostByPiece = (identifier: string, before: Definitions, after: Definitions): ContentLocation[] =>
  lost(before, after, { location: "components", path: `$.**.${contentOfPiece(identifier)}` });

const contentOfPiece = (identifier: string) =>
  `piece ? (@.identifier == ${JSON.stringify(identifier)}).components[*]`;

/** The locations of a shape's components whose content languages share since an update. */
export const sharedByShape = (before: Lists, after: Lists): ContentLocation[] =>
  lists.flatMap((list) =>
    newlyShared(before[list], after[list], [{ location: list, path: "$[*]" }]).map((location) => ({
      ...location,
      list,
    })),
  );

/** The same for a piece: in an item, a variant or one of their pieces, but not in chunks and choices. */
export const sharedByPiece = (
  identifier: string,
  before: Definitions,
  after: Definitions,
): ContentLocation[] => {
  const levels = Array.from({ length: ceilings.nesting }, (_, depth) => ({
    location: "components",
    path: `$[*]${".piece.components[*]".repeat(depth)}.${contentOfPiece(identifier)}`,
  }));
  return newlyShared(before, after, levels);
};

function newlyShared(
  before: Definitions = [],
  after: Definitions = [],
  levels: readonly Level[],
): ContentLocation[] {
  const known = new Map(before.map((definition) => [keyOf(definition), definition]));
  return after.flatMap((definition) => {
    const { id } = definition;
    const former = known.get(keyOf(definition));
    if (former === undefined || !holdsSame(former, definition)) return [];
    if (isShared(former) || !isShared(definition)) return [];
    const location = `${levels[0]?.location}.${id}`;
    return [{ componentId: id, location, paths: levels.map(({ path }) => pathOf(path, definition)) }];
  });
}

const pathOf = (path: string, definition: ComponentDefinition) =>
  `${path} ? (@.componentId == ${JSON.stringify(keyOf(definition))}).${definition.type}`;

function lost(before: Definitions = [], after: Definitions = [], level: Level): ContentLocation[] {
  const remaining = new Map(after.map((definition) => [keyOf(definition), definition]));
  return before.flatMap((definition) => {
    const { id } = definition;
    const path = pathOf(level.path, definition);
    const location = `${level.location}.${id}`;
    const next = remaining.get(keyOf(definition));
    if (next === undefined || !holdsSame(definition, next))
      return [{ componentId: id, location, paths: [path] }];
    return lostInside(definition, next, { location, path });
  });
}

function lostInside(
  before: ComponentDefinition,
  after: ComponentDefinition,
  level: Level,
): ContentLocation[] {
  const inside = (steps: string, of: (definition: ComponentDefinition) => Definitions | undefined) =>
    lost(of(before), of(after), { ...level, path: `${level.path}${steps}` });
  switch (before.type) {
    case "contentChunk":
      return inside(".chunks[*][*]", ({ config }) => config?.contentChunk?.components);
    case "componentChoice":
      return inside("", ({ config }) => config?.componentChoice?.choices);
    case "componentMultipleChoice":
      return inside("[*]", ({ config }) => config?.componentMultipleChoice?.choices);
    default:
      return [];
  }
}
