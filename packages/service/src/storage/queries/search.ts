import type { EntityKind } from "@lading/schema";
import { Rejection } from "../../errors.ts";
import type { Parameter, Queries } from "../database.ts";
import { readCursor, writeCursor } from "../pages/list.ts";

export const searchKinds = ["item", "variant", "customer", "order"] as const satisfies readonly (
  | EntityKind
  | "variant"
)[];

export type SearchKind = (typeof searchKinds)[number];

export interface SearchHit {
  readonly kind: SearchKind;
  readonly field: string;
  /** The field's value, which contains the text. */
  readonly value: string;
  /** The id of an item or order, the SKU of a variant, the identifier of a customer. */
  readonly key: string;
  /** The language of a name; null for other fields. */
  readonly language: string | null;
}

/** A searched column, in the order of an index on it. */
interface Source {
  readonly kind: SearchKind;
  readonly field: string;
  readonly table: string;
  readonly column: string;
  readonly key: string;
  readonly language?: string;
  /** The part of the table covered by the index. */
  readonly where?: string;
  /** Ids and paths only match as a whole. */
  readonly whole?: "id" | "path";
}

const sources: readonly Source[] = [
  {
    ...{ kind: "item", field: "path", table: "item_contents", column: "segment" },
    ...{ key: "item_id", language: "language", whole: "path" },
  },
  { kind: "item", field: "id", table: "items", column: "id", key: "id", whole: "id" },
  {
    ...{ kind: "item", field: "name", table: "item_contents", column: 'name COLLATE "C"' },
    ...{ key: "item_id", language: "language", where: "version = 'draft'" },
  },
  {
    ...{
      kind: "item",
      field: "resourceIdentifier",
      table: "items",
      column: "resource_identifier",
      key: "id",
    },
    where: "resource_identifier IS NOT NULL",
  },
  {
    ...{ kind: "item", field: "externalReference", table: "items", column: "external_reference", key: "id" },
    where: "external_reference IS NOT NULL",
  },
  { kind: "variant", field: "sku", table: "product_variants", column: "sku", key: "sku" },
  { kind: "customer", field: "identifier", table: "customers", column: "identifier", key: "identifier" },
  {
    ...{ kind: "customer", field: "email", table: "customers", column: "email", key: "identifier" },
    where: "email IS NOT NULL",
  },
  { kind: "order", field: "id", table: "orders", column: "id", key: "id", whole: "id" },
  {
    ...{ kind: "order", field: "resourceIdentifier", table: "orders", column: "resource_identifier" },
    ...{ key: "id", where: "resource_identifier IS NOT NULL" },
  },
];

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

/** A position in a source: after a value, or after one of the entities that have it. */
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
    const { hits, stoppedAt } = await searchSource(queries, tenantId, source, {
      ...{ text, position, count: first + 1 - found.length },
    });
    for (const hit of hits) found.push({ hit, cursor: cursorOf(source, hit) });
    if (found.length <= first && stoppedAt === undefined) continue;
    const onPage = found.slice(0, first);
    const stop = { value: stoppedAt ?? "", key: "", language: "" };
    const endCursor = found.length > first ? onPage.at(-1)?.cursor : cursorOf(source, stop);
    return pageOf(onPage, endCursor ?? null);
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

type Entity = Pick<SearchHit, "value" | "key" | "language">;

/** The next hits of a source, and the last value scanned if there may be more. */
async function searchSource(
  queries: Queries,
  tenantId: string,
  source: Source,
  { text, position, count }: SourceRequest,
): Promise<{ hits: SearchHit[]; stoppedAt: string | undefined }> {
  const { kind, field, whole } = source;
  const hitsOf = (rows: readonly Entity[]) => rows.map((row) => ({ kind, field, ...row }));
  if (whole !== undefined) {
    const parameters =
      whole === "path" ? [text.split("/").filter(Boolean), position?.language ?? ""] : [text];
    const sql = whole === "path" ? selectPath(count) : selectId(source, position !== undefined);
    const rows = await queries.query<Omit<Entity, "value">>(sql, [tenantId, ...parameters]);
    return { hits: hitsOf(rows.map((row) => ({ value: text, ...row }))), stoppedAt: undefined };
  }
  const values = await queries.query<{ value: string; matches: boolean; isLast: boolean }>(
    selectValues(source, position !== undefined),
    [tenantId, text, count + 1, ...(position ? [position.value] : [])],
  );
  // With more values than requested, a page may still be short: their entities are read later, and may be gone.
  const stoppedAt = values.find(({ isLast }) => isLast)?.value ?? values[count]?.value;
  const matching = values.filter(({ matches }) => matches).map(({ value }) => value);
  // The position's value may have more entities than were on the previous page.
  const open = position && position.key !== "" ? [position.value, ...matching] : matching;
  if (open.length === 0) return { hits: [], stoppedAt };
  const rows = await queries.query<Entity>(selectEntities(source, position !== undefined, count), [
    tenantId,
    open,
    ...(position ? positionParameters(source, position) : []),
  ]);
  return { hits: hitsOf(rows), stoppedAt };
}

const selectId = ({ table }: Source, isAfter: boolean) =>
  `SELECT id AS key, NULL::text AS language FROM ${table} WHERE tenant_id = $1 AND id = $2 AND ${!isAfter}`;

/** The items whose drafts have the path of the segments $2, in the languages after $3. */
const selectPath = (count: number) => `
  WITH RECURSIVE walk AS (
    SELECT i.id, s.identifier AS language, 0 AS depth FROM items i
    JOIN settings s ON s.tenant_id = $1 AND s.list = 'languages' WHERE i.tenant_id = $1 AND i.parent_id IS NULL
    UNION ALL
    SELECT c.item_id, w.language, w.depth + 1 FROM walk w JOIN item_contents c ON c.tenant_id = $1
      AND c.parent_id = w.id AND c.language = w.language AND c.version = 'draft' AND c.segment = ($2::text[])[w.depth + 1]
    WHERE w.depth < cardinality($2::text[])
  ) SELECT id AS key, language FROM walk WHERE depth = cardinality($2::text[]) AND language > $3
  ORDER BY language LIMIT ${count}`;

/** The first $3 values that contain the text $2, and the last one scanned, if there may be more. Index-only. */
const selectValues = ({ table, column, where = "true" }: Source, isAfter: boolean) => `
  SELECT value, matches, number = ${searchedValues} AS "isLast" FROM (
    SELECT value, strpos(lower(value COLLATE "default"), lower($2)) > 0 AS matches, number
    FROM (SELECT ${column} AS value, row_number() OVER (ORDER BY ${column}) AS number
      FROM ${table} WHERE tenant_id = $1 AND ${where}${isAfter ? ` AND ${column} > $4` : ""}
      ORDER BY ${column} LIMIT ${searchedValues}) AS looked
  ) AS seen WHERE matches OR number = ${searchedValues} ORDER BY value LIMIT $3`;

/** The next entities that have the values $2, in their order. */
function selectEntities(source: Source, isAfter: boolean, count: number): string {
  const { table, column, key, language, where = "true" } = source;
  const order = orderOf(source).join(", ");
  const parameters = orderOf(source).map((_, at) => `$${at + 3}`);
  return `
    SELECT ${column} AS value, ${key} AS key, ${language ?? "NULL::text"} AS language FROM ${table}
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
