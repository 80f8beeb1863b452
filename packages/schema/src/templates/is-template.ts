import { isObject } from "../is-object.ts";

/** True if a text contains any template syntax, and so is rendered; otherwise it stands for itself. */
export function hasTemplate(text: string): boolean {
  return text.includes("{{");
}

/** True if any text within a value contains template syntax. */
export function holdsTemplate(value: unknown): boolean {
  if (typeof value === "string") return hasTemplate(value);
  if (Array.isArray(value)) return value.some(holdsTemplate);
  if (isObject(value)) for (const key in value) if (holdsTemplate(value[key])) return true;
  return false;
}

/** True if a text's braces are also closed, so that in a file it may stand for a value of any scalar type. */
export function isClosedTemplate(text: string): boolean {
  const open = text.indexOf("{{");
  return open !== -1 && text.indexOf("}}", open) !== -1;
}

/** True if any string of a JSON text can be a template: braces may be written as escapes. */
export function mayHaveTemplates(json: string): boolean {
  return hasTemplate(json) || /\\u007[bB]/.test(json);
}
