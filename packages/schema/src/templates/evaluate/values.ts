import { fail } from "./failure.ts";
import { describe } from "./messages.ts";

/**
 * The property of a value as templates see it: an own property of plain data. Nothing that is inherited, and no
 * function, can be reached. Undefined where there is no such property.
 */
export function ownProperty(value: unknown, name: string): unknown {
  if (!hasProperties(value) || !Object.hasOwn(value, name)) return undefined;
  const property = value[name];
  return typeof property === "function" ? undefined : property;
}

/** True for an object or a list. */
const hasProperties = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The properties that name an entry of a list; the first that an entry has counts. */
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

/** True if a condition holds: false, null, "", 0 and the empty list do not, as in Handlebars. */
export function isTruthy(value: unknown, includeZero = false): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value) || (includeZero && value === 0);
}

/**
 * An id object stands for its id: the result of an update has `id: { id, language, versionLabel }` where that of a
 * create has `id` or `id: { value }`. Other values stand for themselves.
 */
export function idOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const ids = ["id", "value", "identifier"].map((name) => ownProperty(value, name));
  return ids.find((id) => typeof id === "string") ?? value;
}

/**
 * The text of a value in braces, without any escaping: the target is JSON, not HTML.
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
