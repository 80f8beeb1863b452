/** True if a text has template parts at all, and so is rendered. Without any, it stands for itself. */
export function hasTemplate(text: string): boolean {
  return text.includes("{{");
}

/** True if a text within a value has template parts. */
export function holdsTemplate(value: unknown): boolean {
  if (typeof value === "string") return hasTemplate(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsTemplate);
  for (const key in value) if (holdsTemplate(value[key as keyof typeof value])) return true;
  return false;
}

/** True if the braces of a text are also closed, so that it may stand for a value of any scalar type in a file. */
export function isClosedTemplate(text: string): boolean {
  const open = text.indexOf("{{");
  return open !== -1 && text.indexOf("}}", open) !== -1;
}

/** True if any string of a JSON text can be a template: braces may be written as escapes. */
export function mayHaveTemplates(json: string): boolean {
  return hasTemplate(json) || /\\u007[bB]/.test(json);
}
