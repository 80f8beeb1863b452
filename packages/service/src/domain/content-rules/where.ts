import { type ComponentContent, type JsonPath, leafChecks, shortened } from "@lading/schema/internal";

/**
 * Describes a location in a list of components by their ids: `components.intro.singleLine`. It ends at the type of the
 * innermost component, unless that contains components itself. `path` begins with `base`, the list's path in the
 * payload, and continues within `components`.
 */
export function whereIn(components: readonly ComponentContent[], base: JsonPath, path: JsonPath): string {
  const where = base.length > 0 ? [...base] : ["components"];
  let value: unknown = components;
  for (const key of path.slice(base.length)) {
    const holder = idOf(value);
    if (holder !== undefined && key === "componentId") break;
    value = memberOf(value, key);
    const id = idOf(value);
    if (typeof key === "string" || id === undefined) where.push(key);
    if (id !== undefined) where.push(shortened(id));
    if (holder !== undefined && Object.hasOwn(leafChecks, key)) break;
  }
  return where.join(".");
}

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

function idOf(value: unknown): string | undefined {
  const id = memberOf(value, "componentId");
  return typeof id === "string" ? id : undefined;
}
