import type { ComponentDefinition } from "../components/component.ts";

type Definitions = readonly ComponentDefinition[];

/** The name under which content of a component is stored. Renames keep it. */
export const keyOf = ({ id, key = id }: ComponentDefinition): string => key;

/** True if content of one definition fits the other; another piece counts as another type. */
export const holdsSame = (one: ComponentDefinition, other: ComponentDefinition): boolean =>
  one.type === other.type && one.config?.piece?.identifier === other.config?.piece?.identifier;

/** The definitions directly inside a chunk or a choice. */
export function definitionsInside({ config = {} }: ComponentDefinition): Definitions | undefined {
  const { contentChunk, componentChoice, componentMultipleChoice } = config;
  return contentChunk?.components ?? componentChoice?.choices ?? componentMultipleChoice?.choices;
}

function withInside(definition: ComponentDefinition, inside: Definitions): ComponentDefinition {
  const { type, config } = definition;
  const list = type === "contentChunk" ? "components" : "choices";
  return { ...definition, config: { ...config, [type]: { ...config?.[type], [list]: inside } } };
}

/**
 * Gives new definitions, which have no keys, those of the definitions that they replace. A component that is new, or
 * holds something else than before, gets a key of its own, so that content of an earlier one is never its content.
 */
export const withKeys = (
  next: Definitions,
  former: Definitions,
  newKey: () => string,
): ComponentDefinition[] =>
  next.map((definition) => {
    const before = former.find(({ id }) => id === definition.id);
    if (before === undefined || !holdsSame(before, definition)) return { ...definition, key: newKey() };
    const { key, formerIds } = before;
    const [inside, insideBefore] = [definitionsInside(definition), definitionsInside(before)];
    const kept = inside ? withInside(definition, withKeys(inside, insideBefore ?? [], newKey)) : definition;
    return { ...kept, ...(key !== undefined && { key }), ...(formerIds && { formerIds }) };
  });

/** Definitions as a payload has them. */
export const withoutKeys = (definitions: Definitions): ComponentDefinition[] =>
  definitions.map(({ key: _, formerIds: _formerIds, ...definition }) => {
    const inside = definitionsInside(definition);
    return inside ? withInside(definition, withoutKeys(inside)) : definition;
  });

/** A component among others. */
export interface ComponentPlace {
  readonly definition: ComponentDefinition;
  /** All definitions, with this one replaced. */
  readonly replaced: (next: ComponentDefinition) => ComponentDefinition[];
}

/** Finds a component by its id or, in a chunk or a choice, by the ids from outside in: `rows.height`. */
export function componentAt(siblings: Definitions, path: string): ComponentPlace | undefined {
  const index = siblings.findIndex(({ id }) => id === path);
  const definition = siblings[index];
  if (definition !== undefined) return { definition, replaced: (next) => siblings.with(index, next) };
  for (const [i, outer] of siblings.entries()) {
    const inside = path.startsWith(`${outer.id}.`) ? definitionsInside(outer) : undefined;
    const place = inside && componentAt(inside, path.slice(outer.id.length + 1));
    if (place === undefined) continue;
    return { ...place, replaced: (next) => siblings.with(i, withInside(outer, place.replaced(next))) };
  }
  return undefined;
}

/** Maximum number of former ids that a definition keeps, for advice. */
const mostFormerIds = 10;

/** A definition with another id and its stored content. A name that is the id follows. */
export function renamed(definition: ComponentDefinition, to: string): ComponentDefinition {
  const { id, name, formerIds = [] } = definition;
  const { key: _, ...rest } = { ...definition, id: to, name: name === id ? to : name };
  const key = keyOf(definition);
  const others = formerIds.filter((former) => former !== to && former !== id);
  return { ...rest, ...(key !== to && { key }), formerIds: [id, ...others].slice(0, mostFormerIds) };
}
