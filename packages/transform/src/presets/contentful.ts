import { isObject, literalTemplate } from "@lading/schema/internal";
import { DataError } from "../issues.ts";
import { writtenCell } from "../map/cells.ts";

interface Field {
  readonly id: string;
  readonly name: string;
  /** `Symbol`, `Link to Asset`, `Array of Link to Entry`. */
  readonly type: string;
}

interface ContentType {
  readonly id: string;
  readonly name: string;
  readonly displayField: unknown;
  readonly fields: readonly Field[];
}

/** The parts of the export that the map of a field needs. */
interface Export {
  readonly locale: string;
  /** The entries by the id of their content type. */
  readonly entries: ReadonlyMap<string | undefined, readonly Record<string, unknown>[]>;
  /** The addresses of images by the id of their asset. */
  readonly images: ReadonlyMap<string, string>;
  readonly notes: string[];
}

/** The parts of a map that read one field. */
interface FieldMap {
  readonly type: string;
  /** The settings of its column, but for the path to it. */
  readonly column: { readonly path?: readonly string[]; readonly [setting: string]: unknown };
  /** The content of its component, made of the name of its column. */
  readonly content: (column: string) => object;
}

/**
 * Makes the map of an export of Contentful: a shape for each content type, a document for each entry.
 *
 * @returns the map, and what it leaves out of this export
 * @throws DataError for a document that is not such an export
 */
export function contentfulMap(document: unknown): { map: object; notes: readonly string[] } {
  const types = objectsIn(document, "contentTypes").map(contentTypeOf);
  if (types.length === 0)
    throw new DataError(
      "WrongType",
      "the document has no list contentTypes with an entry: it is not an export of Contentful, or one without content types",
      null,
    );
  const all = exportOf(document);
  const columns: Record<string, unknown> = {
    id: { type: "text", from: "sys", path: ["id"] },
    type: { type: "text", from: "sys", path: ["contentType", "sys", "id"] },
    published: { type: "text", from: "sys", path: ["publishedVersion"] },
    archived: { type: "text", from: "sys", path: ["archivedVersion"] },
  };
  const parts = types.map((type) => partsOf(type, all, columns));
  const publish = {
    $when: { published: { not: "" } },
    intent: "item/publish",
    resourceIdentifier: "[[id]]",
    language,
  };
  const map = {
    columns,
    when: { type: types.map(({ id }) => id), archived: "" },
    before: parts.map(({ shape }) => shape),
    operations: [...parts.map(({ operation }) => operation), publish],
  };
  return { map, notes: all.notes };
}

const language = "{{ defaults.languages.[0] }}";

/** The shape of a content type, and the operation for its entries. Adds its columns. */
function partsOf(
  { id, name, displayField, fields }: ContentType,
  all: Export,
  columns: Record<string, unknown>,
): { shape: object; operation: object } {
  const identifier = shapeIdentifier(id);
  const shapeComponents: object[] = [];
  const components: object[] = [];
  let itemName = "[[id]]";
  for (const field of fields) {
    const columnName = `${id}.${field.id}`;
    const part = fieldMapOf(field, columnName, id, all);
    if (part === undefined) {
      all.notes.push(`${columnName} is left out: ${field.type}`);
      continue;
    }
    const { path = [], ...settings } = part.column;
    columns[columnName] = { ...settings, from: "fields", path: [field.id, all.locale, ...path] };
    shapeComponents.push({ id: field.id, name: field.name, type: part.type });
    const content = { componentId: field.id, [part.type]: part.content(columnName) };
    components.push({ $when: { [columnName]: { not: "" } }, ...content });
    if (field.id === displayField) {
      const cell = cellOf(columnName);
      itemName = `${cell}[[^${cell.slice(2)}[[id]][[/${cell.slice(2)}`;
    }
  }
  return {
    shape: { intent: "shape/upsert", identifier, name, type: "document", components: shapeComponents },
    operation: {
      $when: { type: id },
      intent: "document/upsert",
      resourceIdentifier: "[[id]]",
      language,
      shapeIdentifier: identifier,
      name: itemName,
      tree: { parentId: "{{ defaults.rootItemId }}" },
      components,
    },
  };
}

const longestIdentifier = 64;

/** With a prefix, so that no shape of the tenant's own is replaced; ids of Contentful are at most as long. */
function shapeIdentifier(id: string): string {
  const prefixed = `contentful-${id}`;
  return prefixed.length > longestIdentifier ? id : prefixed;
}

const cellOf = (name: string) => writtenCell({ kind: "column", name, keys: [] });

const paragraphs = (column: string) => ({
  json: [
    {
      $each: column,
      $when: { [column]: { not: "" } },
      kind: "block",
      type: "paragraph",
      children: [{ kind: "inline", type: null, textContent: cellOf(column) }],
    },
  ],
});

const number: FieldMap = {
  type: "numeric",
  column: { type: "number" },
  content: (column) => ({ number: cellOf(column) }),
};

/** A paragraph for each line, or each entry of a list. */
const text: FieldMap = {
  type: "richText",
  column: { type: "list", separator: "\n" },
  content: paragraphs,
};

const fieldMaps: Readonly<Record<string, FieldMap>> = {
  Symbol: {
    type: "singleLine",
    column: { type: "text" },
    content: (column) => ({ text: cellOf(column) }),
  },
  Text: text,
  "Array of Symbol": text,
  RichText: {
    ...text,
    column: { ...text.column, path: ["content"], entries: { type: "text", texts: "value" } },
  },
  Integer: number,
  Number: number,
  Boolean: {
    type: "boolean",
    column: { type: "boolean" },
    content: (column) => ({ value: cellOf(column) }),
  },
  Date: {
    type: "datetime",
    column: { type: "date" },
    content: (column) => ({ datetime: cellOf(column) }),
  },
  Location: {
    type: "location",
    column: { type: "json" },
    content: (column) => {
      const at = (key: string) => writtenCell({ kind: "column", name: column, keys: [key] });
      return { lat: at("lat"), long: at("lon") };
    },
  },
};

/** The parts of a field's map; undefined for a type that is left out. */
function fieldMapOf(
  { id, type }: Field,
  columnName: string,
  contentType: string,
  all: Export,
): FieldMap | undefined {
  if (Object.hasOwn(fieldMaps, type)) return fieldMaps[type];
  if (type !== "Link to Asset" && type !== "Array of Link to Asset") return undefined;
  const { values, lacking } = linkedImages(id, columnName, contentType, all);
  const image = { key: `{{ upload ${cellOf(columnName)} }}` };
  const $when = { [columnName]: { not: ["", ...lacking] } };
  const asset = { type: "text", path: ["sys", "id"], values };
  return type === "Link to Asset"
    ? { type: "images", column: asset, content: () => [{ $when, ...image }] }
    : {
        type: "images",
        column: { type: "list", separator: "\n", entries: asset },
        content: (column) => [{ $each: column, $when, ...image }],
      };
}

/** The addresses of the images that a field links to, and the ids of other assets that it links to. */
function linkedImages(
  fieldId: string,
  columnName: string,
  contentType: string,
  { locale, entries, images, notes }: Export,
): { values: Record<string, string>; lacking: readonly string[] } {
  const values: Record<string, string> = {};
  const lacking = new Set<string>();
  for (const { fields } of entries.get(contentType) ?? []) {
    for (const link of [at(fields, fieldId, locale)].flat()) {
      const id = textAt(link, "sys", "id");
      if (id === undefined) continue;
      const url = images.get(id);
      if (url === undefined) lacking.add(id);
      else values[id] = url;
    }
  }
  if (lacking.size > 0) {
    const ids = [...lacking].slice(0, 5).join(", ");
    const more = lacking.size > 5 ? ` and ${lacking.size - 5} more` : "";
    notes.push(`${columnName}: assets that are no images, or not in the export, are left out: ${ids}${more}`);
  }
  return { values, lacking: [...lacking] };
}

function exportOf(document: unknown): Export {
  const locales = objectsIn(document, "locales");
  const main = locales.find((locale) => locale.default === true) ?? locales[0];
  const locale = textAt(main, "code");
  if (locale === undefined)
    throw new DataError(
      "WrongType",
      "the document has no list locales with a code: it is not an export of Contentful",
      null,
    );
  const others = locales.flatMap(({ code }) => (typeof code === "string" && code !== locale ? [code] : []));
  const notes =
    others.length === 0 ? [] : [`contents in ${others.join(", ")} are left out; those in ${locale} are read`];
  const images = new Map<string, string>();
  for (const { sys, fields } of objectsIn(document, "assets")) {
    const id = textAt(sys, "id");
    const url = textAt(fields, "file", locale, "url");
    const isImage = textAt(fields, "file", locale, "contentType")?.startsWith("image/");
    if (id !== undefined && url !== undefined && isImage) images.set(id, url.replace(/^\/\//, "https://"));
  }
  const entries = Map.groupBy(objectsIn(document, "entries"), ({ sys }) =>
    textAt(sys, "contentType", "sys", "id"),
  );
  return { locale, entries, images, notes };
}

function contentTypeOf(value: Record<string, unknown>, index: number): ContentType {
  const id = textAt(value.sys, "id");
  if (id === undefined)
    throw new DataError("WrongType", `/contentTypes/${index} has no sys.id: it is not a content type`, null);
  const { name, displayField } = value;
  const fields = objectsIn(value, "fields").flatMap((field): Field[] => {
    const fieldId = textAt(field, "id");
    if (fieldId === undefined) return [];
    return [{ id: fieldId, name: nameOf(field.name, fieldId), type: typeOf(field) }];
  });
  return { id, name: nameOf(name, id), displayField, fields };
}

const nameOf = (name: unknown, id: string) =>
  literalTemplate(typeof name === "string" && name.trim() !== "" ? name : id);

function typeOf({ type, linkType, items }: Record<string, unknown>): string {
  if (type === "Array") return `Array of ${isObject(items) ? typeOf(items) : "unknown"}`;
  return type === "Link" ? `Link to ${String(linkType)}` : String(type);
}

/** The objects of a list; none where there is no list. */
function objectsIn(value: unknown, name: string): Record<string, unknown>[] {
  const list = at(value, name);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys);
  return typeof found === "string" && found !== "" ? found : undefined;
}
