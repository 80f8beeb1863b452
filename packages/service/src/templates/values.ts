import { describe } from "./messages.ts";
import { fail } from "./template-error.ts";

/**
 * What a template sees of a value: the own properties of plain data. Nothing that is inherited, and no function, can
 * be reached. Undefined where there is no such property.
 */
export function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const found = (value as Record<string, unknown>)[name];
  return typeof found === "function" ? undefined : found;
}

/** What names an entry of a list, the first that an entry has. */
const entryNames = ["componentId", "identifier", "sku", "attribute", "key", "id"];

/** As `ownProperty`; an entry of a list is also found by what names it, such as its identifier. */
export function memberAt(owner: unknown, name: string): unknown {
  const found = ownProperty(owner, name);
  if (found !== undefined || !Array.isArray(owner)) return found;
  return owner.find((entry) => {
    const key = entryNames.find((candidate) => ownProperty(entry, candidate) !== undefined);
    return key !== undefined && ownProperty(entry, key) === name;
  });
}

/** Whether a condition holds: false, null, "", 0 and the empty list do not, as in Handlebars. */
export function isTruthy(value: unknown, includeZero = false): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value) || (includeZero && value === 0);
}

/**
 * An id object stands for its id: the result of an update has `id: { id, language, versionLabel }` where that of a
 * create has `id` or `id: { value }` (spec, Reference result). Other values stand for themselves.
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
 * @param name the property that the value was read from; what is called `id` may be an id object
 */
export function print(value: unknown, written: string, name?: string): string {
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
