import { isComponentType } from "../components/types.ts";
import type { Intent } from "../intents.ts";
import { isObject } from "../is-object.ts";

/** True for intents of shapes and pieces, whose payloads contain component definitions. */
export const definesComponents = (intent: Intent): boolean =>
  intent.startsWith("shape/") || intent.startsWith("piece/");

/** The lists of definitions, in a payload or in a component's settings. */
const lists: readonly string[] = ["components", "variantComponents", "choices"];

/**
 * Copies a shape or piece, or a component's settings, without the settings definitions have under another
 * type's name. Nothing reads those, so they may be anything.
 */
export function withoutStraySettings(holder: unknown): unknown {
  if (!isObject(holder)) return holder;
  return mapped(holder, (member, name) =>
    lists.includes(name) && Array.isArray(member) ? member.map(withoutStray) : member,
  );
}

function withoutStray(definition: unknown): unknown {
  const type = isObject(definition) ? definition.type : undefined;
  if (!isObject(definition) || typeof type !== "string" || !isComponentType(type)) return definition;
  const own = Object.entries(definition).filter(([name]) => name === type || !isComponentType(name));
  return mapped(Object.fromEntries(own), (member, name) => {
    if (name === type) return withoutStraySettings(member);
    return name === "config" && isObject(member) ? settingsWithoutStray(member, type) : member;
  });
}

/** Settings are under the name of the type, or in `config` itself. */
const settingsWithoutStray = (config: object, type: string): unknown =>
  mapped(Object(withoutStraySettings(config)), (member, name) =>
    name === type ? withoutStraySettings(member) : member,
  );

const mapped = (object: object, change: (member: unknown, name: string) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]));
