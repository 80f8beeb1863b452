import { isOpaque, literalTemplate, type ReferenceFields, referenceFields } from "@lading/schema";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Operation } from "./operation.ts";

/** Writes an operation as a line of JSON without a line feed: keys sorted, texts with braces as templates. */
export type WriteLine = (operation: Operation) => string;

type WriteText = (text: string, field: string, list: string) => string;

/** The template of the root folder, which has another id in another tenant. */
const rootFolder = '"{{ defaults.rootItemId }}"';

/** Stands around the key of an image in a line, in which JSON has no such character. */
const mark = "\u0001";

/** The lists whose entries are images. */
const imageLists: ReadonlySet<string> = new Set(["images", "thumbnails"]);

/**
 * Makes the function that writes the lines of a tenant's dump. References to the root folder become a template. Keys
 * that images of the tenant may have are marked; `replaceKeys` replaces them.
 */
export function lineWriter({ id, rootItemId }: Pick<Tenant, "id" | "rootItemId">): WriteLine {
  const fieldsOf = new Map<string, ReferenceFields>();
  const prefix = `${id}/`;
  let references: ReferenceFields = () => undefined;

  const text = (value: string, field: string, list: string): string => {
    if (value === rootItemId && references(field, list) === "item") return rootFolder;
    if (field === "key" && imageLists.has(list) && value.startsWith(prefix))
      return mark + quoted(value) + mark;
    return quoted(value);
  };
  /** `write` writes the texts in it; `list` is the innermost list that it is in. */
  const json = (value: unknown, write: WriteText, field: string, list: string): string => {
    if (typeof value === "string") return write(value, field, list);
    if (Array.isArray(value)) return `[${value.map((member) => json(member, write, field, field)).join()}]`;
    if (typeof value === "object" && value !== null) return object(value, write, list);
    return JSON.stringify(value) ?? "null";
  };
  const object = (value: object, write: WriteText, list: string): string => {
    const members = value as Readonly<Record<string, unknown>>;
    let written = "";
    for (const key of sortedKeys(members)) {
      const member = members[key];
      if (member === undefined) continue;
      const inside = json(member, isOpaque(key) ? quoted : write, key, list);
      written += `${written === "" ? "" : ","}${quoted(key)}:${inside}`;
    }
    return `{${written}}`;
  };
  return ({ intent, fields }) => {
    references = fieldsOf.get(intent) ?? referenceFields(intent);
    fieldsOf.set(intent, references);
    return object({ ...fields, intent }, text, "");
  };
}

/** Replaces the keys that lines mark by the templates that `templatesOf` has for them; others stay as texts. */
export async function replaceKeys(
  lines: string,
  templatesOf: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<string> {
  if (!lines.includes(mark)) return lines;
  // Every second part stood between two marks.
  const parts = lines.split(mark);
  const keys = new Map(parts.filter((_, i) => i % 2 === 1).map((part) => [part, String(JSON.parse(part))]));
  const templates = await templatesOf([...keys.values()]);
  return parts
    .map((part, i) => {
      const template = i % 2 === 1 ? templates.get(keys.get(part)!) : undefined;
      return template === undefined ? part : JSON.stringify(template);
    })
    .join("");
}

/** Returns the keys in their order, mostly without sorting. */
function sortedKeys(members: object): string[] {
  const keys = Object.keys(members);
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}

/** Characters that JSON escapes, and braces of templates. */
const special = /["\\\p{Cc}\p{Cs}]|\{\{/u;

const quoted = (text: string): string =>
  special.test(text) ? JSON.stringify(literalTemplate(text)) : `"${text}"`;
