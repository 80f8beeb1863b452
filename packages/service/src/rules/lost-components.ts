import type { ComponentDefinition } from "@lading/schema";
import type { ContentPlace } from "../storage/queries/content-counts.ts";
import type { ComponentList } from "./compiled-content.ts";

type Definitions = readonly ComponentDefinition[];
type Lists = Readonly<Partial<Record<ComponentList, Definitions>>>;

/** Where the components of a list are: as people name it, and as a JSON path in stored content. */
interface Level {
  name: string;
  path: string;
}

/** The places of a shape's components that it lost by an update: they are gone, or have another type. */
export const lostByShape = (before: Lists, after: Lists): ContentPlace[] =>
  (["components", "variantComponents"] as const).flatMap((list) =>
    lost(before[list], after[list], { name: list, path: "$[*]" }).map((place) => ({ ...place, list })),
  );

/** As `lostByShape`, of a piece, whose content may be anywhere in the content of an item or a variant. */
export const lostByPiece = (identifier: string, before: Definitions, after: Definitions): ContentPlace[] => {
  const path = `$.**.piece ? (@.identifier == ${JSON.stringify(identifier)}).components[*]`;
  return lost(before, after, { name: "components", path });
};

function lost(before: Definitions = [], after: Definitions = [], level: Level): ContentPlace[] {
  const left = new Map(after.map((definition) => [definition.id, definition]));
  return before.flatMap((definition) => {
    const { id, type } = definition;
    const path = `${level.path} ? (@.componentId == ${JSON.stringify(id)}).${type}`;
    const name = `${level.name}.${id}`;
    const next = left.get(id);
    if (next === undefined || !holdsSame(definition, next)) return [{ componentId: id, name, path }];
    return lostInside(definition, next, { name, path });
  });
}

/** Whether content of the one definition is content of the other: another piece is as good as another type. */
const holdsSame = (one: ComponentDefinition, other: ComponentDefinition): boolean =>
  one.type === other.type && one.config?.piece?.identifier === other.config?.piece?.identifier;

function lostInside(before: ComponentDefinition, after: ComponentDefinition, level: Level): ContentPlace[] {
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
