import {
  type Intent,
  type ItemVersion,
  isObject,
  isOpaque,
  literalTemplate,
  type ReferenceFields,
  type Referred,
  referenceFields,
  versionName,
  writtenId,
} from "@lading/schema/internal";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Operation } from "./operation.ts";

/** Writes an operation as one line of JSON, without a line feed: keys are sorted, and braces in texts are escaped. */
export type WriteLine = (operation: Operation) => string;

type WriteText = (text: string, field: string, list: string) => string;

/** The template for the root folder, whose id differs between tenants. */
const rootFolder = '"{{ defaults.rootItemId }}"';

/** Delimits replaced parts of a line. JSON text never contains this character. */
const mark = "\u0001";

/** A kind of replaced text: an image's key, an id, or an id in a version's name. */
export type Marked = Referred | "image" | "version";

/** Lists whose entries are images. */
const imageLists: ReadonlySet<string> = new Set(["images", "thumbnails"]);

/**
 * Returns the function that writes the lines of a dump. References to the root folder become a template. Possible image
 * keys are marked, and with `isNatural` all other ids, too, for `replaceMarked` to replace.
 */
export function lineWriter(
  { id, rootItemId }: Pick<Tenant, "id" | "rootItemId">,
  isNatural = false,
): WriteLine {
  const fieldsOf = new Map<string, ReferenceFields>();
  const prefix = `${id}/`;
  let references: ReferenceFields = () => undefined;

  const text = (value: string, field: string, list: string): string => {
    const referred = references(field, list);
    if (value === rootItemId && referred === "item") return rootFolder;
    if (referred !== undefined && isNatural) return marked(referred, value);
    if (field === "key" && imageLists.has(list) && value.startsWith(prefix)) return marked("image", value);
    return quoted(value);
  };
  /** `write` writes the texts in the value; `list` is the innermost enclosing list. */
  const json = (value: unknown, write: WriteText, field: string, list: string): string => {
    if (typeof value === "string") return write(value, field, list);
    if (Array.isArray(value)) return `[${value.map((member) => json(member, write, field, field)).join()}]`;
    if (isObject(value)) return object(value, write, list);
    return JSON.stringify(value) ?? "null";
  };
  const object = (members: Operation["fields"], write: WriteText, list: string): string => {
    let written = "";
    for (const key of sortedKeys(members)) {
      const member = members[key];
      if (member === undefined) continue;
      const inside = json(member, isOpaque(key) ? quoted : write, key, list);
      written += `${written === "" ? "" : ","}${quoted(key)}:${inside}`;
    }
    return `{${written}}`;
  };
  const versionText = (value: string) => {
    const written = `"${value}"`;
    return isNatural ? `${mark}version${written}${mark}` : written;
  };
  return ({ intent, fields, version }) => {
    references = fieldsOf.get(intent) ?? referenceFields(intent);
    fieldsOf.set(intent, references);
    if (version === undefined) return object({ ...fields, intent }, text, "");
    const named = naming(intent, version);
    const write: WriteText = (value, field, list) =>
      list === "" && field in named ? versionText(value) : text(value, field, list);
    return object({ ...fields, intent, ...named }, write, "");
  };
}

/** A publication takes the id from the preceding write's result, so that it fails if the write does. */
function naming(intent: Intent, version: ItemVersion): Readonly<Record<string, string>> {
  const name = versionName(version);
  return intent === "item/publish" ? { itemId: writtenId(name) } : { _ref: name };
}

const marked = (kind: Marked, value: string): string => mark + kind + quoted(value) + mark;

/** Returns templates for keys or ids of one kind; texts without a template are kept. */
export type TemplatesOf = (kind: Marked, values: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Replaces the marked parts of lines with templates. */
export async function replaceMarked(lines: string, templatesOf: TemplatesOf): Promise<string> {
  if (!lines.includes(mark)) return lines;
  // Every second part was between two marks: a kind, and a quoted text.
  const parts = lines.split(mark);
  const byKind = new Map<Marked, Map<string, string>>();
  for (let i = 1; i < parts.length; i += 2) {
    const { kind, text } = markedIn(parts[i]!);
    const values = byKind.get(kind) ?? new Map();
    byKind.set(kind, values.set(text, String(JSON.parse(text))));
  }
  const templates = new Map<Marked, ReadonlyMap<string, string>>();
  for (const [kind, values] of byKind) templates.set(kind, await templatesOf(kind, [...values.values()]));
  return parts
    .map((part, i) => {
      if (i % 2 === 0) return part;
      const { kind, text } = markedIn(part);
      const template = templates.get(kind)?.get(byKind.get(kind)!.get(text)!);
      return template === undefined ? text : JSON.stringify(template);
    })
    .join("");
}

function markedIn(part: string): { kind: Marked; text: string } {
  const at = part.indexOf('"');
  // `marked` writes the kind before the text.
  return { kind: part.slice(0, at) as Marked, text: part.slice(at) };
}

/** Returns the keys in order; usually they are sorted already. */
function sortedKeys(members: object): string[] {
  const keys = Object.keys(members);
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}

/** Characters that JSON escapes, and the braces of templates. */
const special = /["\\\p{Cc}\p{Cs}]|\{\{/u;

const quoted = (text: string): string =>
  special.test(text) ? JSON.stringify(literalTemplate(text)) : `"${text}"`;
