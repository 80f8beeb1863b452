import { type EntityKind, hasId, type KindIn, keysOf } from "@lading/schema/internal";
import { Rejection } from "../../errors.ts";
import type { Parameter, Queries } from "../database.ts";
import { readCursor, writeCursor } from "../pages/list.ts";

/** A kind that a search covers: of entities, but for settings, or variants. */
export type SearchKind = Exclude<EntityKind, KindIn<"settings">> | "variant";

export interface SearchHit {
  readonly kind: SearchKind;
  readonly field: string;
  /** The field's value, which contains the text. */
  readonly value: string;
  /** The id of an entity that has one, the SKU of a variant, the identifier of any other. */
  readonly key: string;
  /** The language of a name; null for other fields. */
  readonly language: string | null;
  /** The name of an entity that has only one, if any. */
  readonly name: string | null;
}

/** A searched column, in the order of an index on it, or of the primary key. */
interface Source {
  readonly kind: SearchKind;
  readonly field: string;
  readonly table: string;
  readonly column: string;
  readonly key: string;
  readonly language?: string;
  readonly name?: string;
  /** True without an index on the column: rows are scanned by their keys. */
  readonly isByKey?: true;
  /** The part of the table covered by the index. */
  readonly where?: string;
  /** Ids and paths only match as a whole. */
  readonly whole?: "id" | "path";
}

/** The tables of the kinds of entities. */
const tables = {
  item: "items",
  customer: "customers",
  order: "orders",
  topic: "topics",
  priceList: "price_lists",
  contract: "subscription_contracts",
  customerGroup: "customer_groups",
  shape: "shapes",
  piece: "pieces",
  flow: "flows",
} as const satisfies Record<Exclude<SearchKind, "variant">, string>;

type TableKind = keyof typeof tables;

const idOf = (kind: TableKind): Source => ({
  ...{ kind, field: "id", table: tables[kind], column: "id", key: "id", whole: "id" },
});

const referenceOf = (kind: TableKind, field: string, column: string): Source => ({
  ...{ kind, field, table: tables[kind], column, key: "id", where: `${column} IS NOT NULL` },
});

/** An entity with an id has a resource identifier; any other has an identifier and a name. */
function sourcesOf(kind: Exclude<TableKind, "item">): Source[] {
  if (hasId(kind)) return [idOf(kind), referenceOf(kind, "resourceIdentifier", "resource_identifier")];
  const name =
    kind === "customer" ? "concat_ws(' ', first_name, middle_name, last_name, company_name)" : "name";
  const common = { kind, table: tables[kind], key: "identifier", name };
  return [
    { ...common, field: "identifier", column: "identifier" },
    { ...common, field: "name", column: name, isByKey: true },
  ];
}

const itemContents = { kind: "item", table: "item_contents", key: "item_id", language: "language" } as const;

const others: Readonly<Partial<Record<TableKind, readonly Source[]>>> = {
  customer: [
    {
      ...{ kind: "customer", field: "email", table: "customers", column: "email", key: "identifier" },
      where: "email IS NOT NULL",
    },
  ],
  topic: [
    {
      ...{ kind: "topic", field: "name", table: "topic_contents", column: "name", key: "topic_id" },
      ...{ language: "language", isByKey: true },
    },
  ],
};

const sources: readonly Source[] = [
  { ...itemContents, field: "path", column: "segment", whole: "path" },
  idOf("item"),
  { ...itemContents, field: "name", column: 'name COLLATE "C"', where: "version = 'draft'" },
  referenceOf("item", "resourceIdentifier", "resource_identifier"),
  referenceOf("item", "externalReference", "external_reference"),
  { kind: "variant", field: "sku", table: "product_variants", column: "sku", key: "sku" },
  ...keysOf(tables).flatMap((kind) => (kind === "item" ? [] : [...sourcesOf(kind), ...(others[kind] ?? [])])),
];

export const searchKinds: readonly SearchKind[] = [...new Set(sources.map(({ kind }) => kind))];

const forms = { id: /^[0-9a-f]{24}$/, path: /^\// } as const;

/** Maximum number of values per field that a search scans for a page. */
export const searchedValues = 50_000;

export interface SearchRequest {
  readonly text: string;
  readonly kinds: readonly SearchKind[];
  readonly first: number;
  readonly after: string | null;
}

/** A page of hits. One that stopped early may have fewer than requested, and still have a next page. */
export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly cursors: readonly string[];
  /** Where the next page begins; null after the last one. */
  readonly endCursor: string | null;
}

/** A position in a source: after a value, or after one of the entities that have it; by key, after an entity. */
interface Position {
  readonly value: string;
  readonly key: string;
  readonly language: string;
}

/**
 * Finds the entities of some kinds that have a text in a field, ignoring case: field by field, each in the order of its
 * values. Rejects a cursor of another list with `ValidationError`.
 */
export async function search(
  queries: Queries,
  tenantId: string,
  { text, kinds, first, after }: SearchRequest,
): Promise<SearchPage> {
  const searched = sources.filter(
    ({ kind, whole }) => kinds.includes(kind) && (whole === undefined || forms[whole].test(text)),
  );
  const begun = after === null ? undefined : positionIn(after, searched);
  const found: { hit: SearchHit; cursor: string }[] = [];
  for (const source of searched.slice(begun?.at ?? 0)) {
    const position = begun && source === searched[begun.at] ? begun.position : undefined;
    const { hits, stop } = await searchSource(queries, tenantId, source, {
      ...{ text, position, count: first + 1 - found.length },
    });
    for (const hit of hits) found.push({ hit, cursor: cursorOf(source, hit) });
    if (found.length > first) return pageOf(found.slice(0, first), found[first - 1]?.cursor ?? null);
    if (stop !== undefined) return pageOf(found, cursorOf(source, stop));
  }
  return pageOf(found, null);
}

const pageOf = (found: readonly { hit: SearchHit; cursor: string }[], endCursor: string | null) => ({
  hits: found.map(({ hit }) => hit),
  cursors: found.map(({ cursor }) => cursor),
  endCursor,
});

const cursorOf = (
  { kind, field }: Source,
  { value, key, language }: Pick<SearchHit, "value" | "key" | "language">,
) => writeCursor([kind, field, value, key, language ?? ""]);

function positionIn(cursor: string, searched: readonly Source[]): { at: number; position: Position } {
  const [kind, field, value = "", key = "", language = ""] = readCursor(cursor, 5);
  const at = searched.findIndex((source) => source.kind === kind && source.field === field);
  if (at !== -1) return { at, position: { value, key, language } };
  const message = `"${cursor}" is not a cursor of this search; take the endCursor of the previous page`;
  throw new Rejection("ValidationError", message, [{ code: "InvalidValue", message, path: ["after"] }]);
}

interface SourceRequest {
  readonly text: string;
  readonly position: Position | undefined;
  readonly count: number;
}

type Entity = Pick<SearchHit, "value" | "key" | "language" | "name">;

/** The next hits of a source, and the last position scanned if there may be more. */
interface Searched {
  readonly hits: SearchHit[];
  readonly stop?: Pick<SearchHit, "value" | "key" | "language"> | undefined;
}

async function searchSource(
  queries: Queries,
  tenantId: string,
  source: Source,
  { text, position, count }: SourceRequest,
): Promise<Searched> {
  const { kind, field, whole, isByKey } = source;
  const hitsOf = (rows: readonly Entity[]) => rows.map((row) => ({ kind, field, ...row }));
  if (whole !== undefined) {
    const parameters =
      whole === "path" ? [text.split("/").filter(Boolean), position?.language ?? ""] : [text];
    const sql = whole === "path" ? selectPath(count) : selectId(source, position !== undefined);
    const rows = await queries.query<Omit<Entity, "value">>(sql, [tenantId, ...parameters]);
    return { hits: hitsOf(rows.map((row) => ({ value: text, ...row }))) };
  }
  if (isByKey) {
    const given: Parameter[] = [tenantId, ...(position ? keyParameters(source, position) : [])];
    const rows = await queries.query<Entity>(selectByKey(source, given), [...given, text, count]);
    // A page that is full ends with its last hit.
    const stop =
      rows.length < count ? await lastLooked<Entity>(queries, lookByKey(source, given), given) : undefined;
    return { hits: hitsOf(rows), stop };
  }
  const given: Parameter[] = [tenantId, ...(position ? [position.value] : [])];
  const values = await queries.query<{ value: string }>(selectValues(source, given), [
    ...given,
    text,
    count + 1,
  ]);
  // With more values than requested, a page may still be short: their entities are read later, and may be gone.
  const stoppedAt =
    values[count] ??
    (values.length <= count
      ? await lastLooked<{ value: string }>(queries, lookAtValues(source, given), given)
      : undefined);
  const matching = values.map(({ value }) => value);
  // The position's value may have more entities than were on the previous page.
  const open = position && position.key !== "" ? [position.value, ...matching] : matching;
  const stop = stoppedAt && { value: stoppedAt.value, key: "", language: "" };
  if (open.length === 0) return { hits: [], stop };
  const rows = await queries.query<Entity>(selectEntities(source, position !== undefined, count), [
    tenantId,
    open,
    ...(position ? positionParameters(source, position) : []),
  ]);
  return { hits: hitsOf(rows), stop };
}

const selectId = ({ table }: Source, isAfter: boolean) =>
  `SELECT id AS key, NULL::text AS language, NULL::text AS name FROM ${table} WHERE tenant_id = $1 AND id = $2 AND ${!isAfter}`;

/** The items whose drafts have the path of the segments $2, in the languages after $3. */
const selectPath = (count: number) => `
  WITH RECURSIVE walk AS (
    SELECT i.id, s.identifier AS language, 0 AS depth FROM items i
    JOIN settings s ON s.tenant_id = $1 AND s.list = 'languages' WHERE i.tenant_id = $1 AND i.parent_id IS NULL
    UNION ALL
    SELECT c.item_id, w.language, w.depth + 1 FROM walk w JOIN item_contents c ON c.tenant_id = $1
      AND c.parent_id = w.id AND c.language = w.language AND c.version = 'draft' AND c.segment = ($2::text[])[w.depth + 1]
    WHERE w.depth < cardinality($2::text[])
  ) SELECT id AS key, language, NULL::text AS name FROM walk WHERE depth = cardinality($2::text[]) AND language > $3
  ORDER BY language LIMIT ${count}`;

/** The part of the statement after the parameters `given`, which are the tenant's and a position's. */
const parametersAfter = (given: readonly Parameter[], first = 1) =>
  given.map((_, at) => `$${at + first}`).slice(1);

/** The values to look at, in their order. Index-only. */
const lookAtValues = ({ table, column, where = "true" }: Source, given: readonly Parameter[]) => `
  SELECT ${column} AS value FROM ${table}
  WHERE tenant_id = $1 AND ${where}${given.length > 1 ? ` AND ${column} > $2` : ""} ORDER BY ${column}`;

/** The first values that contain a text: both are the parameters after those given. */
const selectValues = (source: Source, given: readonly Parameter[]) => `
  SELECT value FROM (${lookAtValues(source, given)} LIMIT ${searchedValues}) AS looked
  WHERE ${contains(given.length + 1)} ORDER BY value LIMIT $${given.length + 2}`;

/** The entities to look at, in the order of their keys. */
function lookByKey(source: Source, given: readonly Parameter[]): string {
  const { table, column, key, language = "NULL::text", name = "NULL::text" } = source;
  const order = keyOrder(source).join(", ");
  return `
    SELECT ${column} AS value, ${key} AS key, ${language} AS language, ${name} AS name FROM ${table}
    WHERE tenant_id = $1 ${given.length > 1 ? `AND (${order}) > (${parametersAfter(given).join(", ")})` : ""}
    ORDER BY ${order}`;
}

/** The first entities whose column contains a text: both are the parameters after those given. */
const selectByKey = (source: Source, given: readonly Parameter[]) => `
  SELECT * FROM (${lookByKey(source, given)} LIMIT ${searchedValues}) AS looked
  WHERE ${contains(given.length + 1)} LIMIT $${given.length + 2}`;

const contains = (parameter: number) => `strpos(lower(value COLLATE "default"), lower($${parameter})) > 0`;

/** The last row that a search looks at, if there may be more. */
async function lastLooked<Row>(
  queries: Queries,
  look: string,
  given: readonly Parameter[],
): Promise<Row | undefined> {
  const [last] = await queries.query<Row>(`${look} OFFSET ${searchedValues - 1} LIMIT 1`, given);
  return last;
}

const keyOrder = ({ key, language }: Source): string[] => (language === undefined ? [key] : [key, language]);

const keyParameters = (source: Source, { key, language }: Position): Parameter[] =>
  [key, language].slice(0, keyOrder(source).length);

/** The next entities that have the values $2, in their order. */
function selectEntities(source: Source, isAfter: boolean, count: number): string {
  const { table, column, key, language, name = "NULL::text", where = "true" } = source;
  const order = orderOf(source).join(", ");
  const parameters = orderOf(source).map((_, at) => `$${at + 3}`);
  return `
    SELECT ${column} AS value, ${key} AS key, ${language ?? "NULL::text"} AS language, ${name} AS name FROM ${table}
    WHERE tenant_id = $1 AND ${where} AND ${column} = ANY($2::text[])
      ${isAfter ? `AND (${order}) > (${parameters.join(", ")})` : ""}
    ORDER BY ${order} LIMIT ${count}`;
}

const orderOf = ({ column, key, language }: Source): string[] => [
  column,
  ...(key === column ? [] : [key]),
  ...(language === undefined ? [] : [language]),
];

const positionParameters = (source: Source, { value, key, language }: Position): Parameter[] =>
  [value, key, language].slice(0, orderOf(source).length);
