import { fail } from "./failure.ts";
import { describe } from "./messages.ts";

/**
 * The property of a value, as templates see it: an own property of plain data. Inherited properties and functions are
 * inaccessible. Undefined if there is no such property.
 */
export function ownProperty(value: unknown, name: string): unknown {
  if (!hasProperties(value) || !Object.hasOwn(value, name)) return undefined;
  const property = value[name];
  return typeof property === "function" ? undefined : property;
}

/** True for an object or a list. */
const hasProperties = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Properties that identify list entries; the first one an entry has counts. */
const entryNames = ["componentId", "identifier", "sku", "attribute", "key", "id"];

/** Like `ownProperty`, but an entry of a list is also found by its name, such as its identifier. */
export function memberAt(owner: unknown, name: string): unknown {
  const property = ownProperty(owner, name);
  if (property !== undefined || !Array.isArray(owner)) return property;
  return owner.find((entry) => {
    const key = entryNames.find((candidate) => ownProperty(entry, candidate) !== undefined);
    return key !== undefined && ownProperty(entry, key) === name;
  });
}

/** True if a condition holds: as in Handlebars, false, null, "", 0 and the empty list are false. */
export function isTruthy(value: unknown, includeZero = false): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value) || (includeZero && value === 0);
}

/**
 * An id object stands for its id: an update's result has `id: { id, language, versionLabel }`, a create's has `id` or
 * `id: { value }`. Other values stand for themselves.
 */
export function idOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const ids = ["id", "value", "identifier"].map((name) => ownProperty(value, name));
  return ids.find((id) => typeof id === "string") ?? value;
}

/**
 * A value's text in braces, unescaped: the target is JSON, not HTML.
 *
 * @param written the expression, for messages
 * @param name the property that the value was read from; the value of `id` may be an id object
 */
export function textOf(value: unknown, written: string, name?: string): string {
  const printed = name === "id" ? idOf(value) : value;
  if (typeof printed === "string") return printed;
  if (typeof printed === "number" || typeof printed === "boolean") return String(printed);
  return fail(() => unprintable(printed, written));
}

function unprintable(value: unknown, written: string): string {
  const advice =
    value === null || value === undefined
      ? `Where it may be missing, write {{#if ${written}}}…{{/if}}.`
      : Array.isArray(value)
        ? `Name one entry, as in ${written}.[0], or use {{#each ${written}}}…{{/each}}.`
        : "Name one of its properties.";
  return `"${written}" is ${describe(value)}, which cannot be printed. ${advice}`;
}
