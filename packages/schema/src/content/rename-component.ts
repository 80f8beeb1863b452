import type { ComponentDefinition } from "../components/component.ts";
import { quoted } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { type ComponentPlace, componentAt, definitionsInside, renamed } from "./component-keys.ts";
import { adviceFor } from "./problems.ts";

type Definitions = readonly ComponentDefinition[];

interface Renaming<List extends string> {
  /** The shape or piece, for messages: `shape "tea"`. */
  readonly owner: string;
  readonly lists: { readonly [Name in List]: Definitions };
  /** The component's id, after those of its list and the component around it where needed: `components.rows.width`. */
  readonly from: string;
  readonly to: string;
}

type Refused = Problem & { readonly code: "ComponentNotFound" | "ComponentIdTaken" | "InvalidValue" };

export interface Renamed<List extends string> {
  /** The list of the component, with its new id; none if it has the id already. */
  readonly lists: { readonly [Name in List]?: ComponentDefinition[] };
  /** The component before and after, with its list and enclosing component. */
  readonly places: { readonly from: string; readonly to: string };
}

/** Gives a component another id, or says why that is impossible. */
export function renameComponent<List extends string>(
  renaming: Renaming<List>,
): Renamed<List> | { readonly refused: Refused } {
  const { owner, from, to } = renaming;
  const refused = (code: Refused["code"], field: "from" | "to", message: string) => ({
    refused: { code, message, path: [field] },
  });
  const [found, other] = placesOf(renaming);
  if (found === undefined) {
    const message = `The ${owner} has no component ${quoted(from)}.${adviceFor(from, knownTo(renaming))}`;
    return refused("ComponentNotFound", "from", message);
  }
  if (other !== undefined) {
    const places = [found, other].map(({ list, path }) => quoted(`${list}.${path}`));
    return refused(
      "InvalidValue",
      "from",
      `The ${owner} has two components ${quoted(from)}: say ${places.join(" or ")}`,
    );
  }
  const { definition, replaced, list, path } = found;
  const { id } = definition;
  const outer = path.slice(0, path.length - id.length);
  const places = { from: `${list}.${path}`, to: `${list}.${outer}${to}` };
  if (to === id) return { lists: {}, places };
  if (outer !== "" && to.startsWith(outer))
    return refused("InvalidValue", "to", `"to" is the new id alone, as in ${quoted(to.slice(outer.length))}`);
  const next = renamed(definition, to);
  const components = replaced(next);
  const paths = pathsOf(components);
  const own = pathsOf([next]).map((path) => outer + path);
  const taken = own.find((path) => paths.indexOf(path) < paths.lastIndexOf(path));
  if (taken !== undefined)
    return refused("ComponentIdTaken", "to", `The ${owner} has a component ${quoted(taken)} already`);
  return { lists: { [list]: components } as Renamed<List>["lists"], places };
}

/** The components that `from` names: more than one only if their list is missing. */
function placesOf<List extends string>({ lists, from }: Renaming<List>) {
  type Place = ComponentPlace & { readonly list: List; readonly path: string };
  const names = Object.keys(lists) as List[];
  const placesAt = (list: List, path: string): Place[] => {
    const place = componentAt(lists[list], path);
    return place === undefined ? [] : [{ ...place, list, path }];
  };
  const inList = names.flatMap((list) =>
    from.startsWith(`${list}.`) ? placesAt(list, from.slice(list.length + 1)) : [],
  );
  return inList.length > 0 ? inList : names.flatMap((list) => placesAt(list, from));
}

/** The names of components, and of those inside of them, in their list. */
const pathsOf = (definitions: Definitions): string[] =>
  definitions.flatMap((definition) => [
    definition.id,
    ...pathsOf(definitionsInside(definition) ?? []).map((path) => `${definition.id}.${path}`),
  ]);

/** All components, by names such as `from` is: those of a list with its name if `from` begins with that. */
function knownTo<List extends string>({ lists, from }: Renaming<List>): Definitions {
  const list = (Object.keys(lists) as List[]).find((list) => from.startsWith(`${list}.`));
  if (list === undefined) return Object.values<Definitions>(lists).flat().flatMap(withInside);
  const named = (id: string) => `${list}.${id}`;
  return lists[list].flatMap(withInside).map(({ id, formerIds = [], ...definition }) => ({
    ...definition,
    id: named(id),
    formerIds: formerIds.map(named),
  }));
}

/** A definition and those inside of it, with the ids that name them from outside, and named them before. */
function withInside(outer: ComponentDefinition): Definitions {
  const namesOf = ({ id, formerIds = [] }: ComponentDefinition) => [id, ...formerIds];
  const inside = (definitionsInside(outer) ?? []).map((inner) => ({
    ...inner,
    id: `${outer.id}.${inner.id}`,
    formerIds: namesOf(outer).flatMap((name) => namesOf(inner).map((id) => `${name}.${id}`)),
  }));
  return [outer, ...inside];
}
