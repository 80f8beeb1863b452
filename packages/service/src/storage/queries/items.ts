import { type ItemContentRow, type ItemVersion, itemContents } from "../collections/item-contents.ts";
import { type ItemRow, items } from "../collections/items.ts";
import type { ProductVariantRow } from "../collections/product-variants.ts";
import { type PublishedVariantRow, withFacts } from "../collections/published-variants.ts";
import type { Parameter, Queries } from "../database.ts";
import { conditionList, listRows, readCursor, writeCursor } from "../pages/list.ts";
import { type Page, type PageRequest, page } from "../pages/page.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

export interface ItemScope {
  language: string;
  version: ItemVersion;
}

/** An item's content; a published product's has its variants, with their published price and stock. */
export interface ContentView extends Pick<ItemContentRow, "name" | "components" | "versionId" | "updatedAt"> {
  variants: ProductVariantRow[] | null;
}

/** An item and its content in one language and version; null if there is none. */
export interface ItemView extends ItemRow, ItemScope {
  content: ContentView | null;
}

/** An item's key; the first key set counts. */
export interface ItemIdentity {
  id?: string | null;
  resourceIdentifier?: string | null;
  externalReference?: string | null;
}

export interface ItemFilter {
  type?: string | null;
  shapeIdentifier?: string | null;
  parentItemId?: string | null;
  externalReferences?: string[] | null;
  resourceIdentifiers?: string[] | null;
}

interface JoinedRow extends ItemRow {
  contentName: string;
  contentComponents: ItemContentRow["components"];
  contentVariants: ItemContentRow["variants"];
  /** Null if nothing is published. */
  contentFacts: PublishedVariantRow[] | null;
  /** Null if there is no content to join. */
  contentVersionId: string | null;
  contentUpdatedAt: string;
}

const columns = `${items.sql.columnList}, c.name AS "contentName", c.components AS "contentComponents",
    c.variants AS "contentVariants", c.version_id AS "contentVersionId", c.updated_at AS "contentUpdatedAt",
    CASE WHEN c.variants IS NOT NULL THEN (
      SELECT json_agg(json_build_object('variantId', p.variant_id, 'priceVariants', p.price_variants,
        'stockLocations', p.stock_locations))
      FROM published_variants p WHERE p.tenant_id = $1 AND p.product_id = t.id
    ) END AS "contentFacts"`;

const contentsIn = (version: ItemVersion) => `c.language = $2 AND c.version = '${version}'`;

/**
 * Selects items with their content in the language `$2`. A published version of an item exists only if it was
 * published; a draft always exists, with or without content in the language. The planner has only one way to join, by
 * keys in the order of the list: it takes a tenant for a small one.
 */
function selectOf(version: ItemVersion): string {
  const content = `LATERAL (SELECT * FROM ${itemContents.table} c
    WHERE c.tenant_id = $1 AND c.item_id = t.id AND ${contentsIn(version)} OFFSET 0) c ON true`;
  return `SELECT ${columns} FROM items t ${version === "draft" ? "LEFT JOIN" : "JOIN"} ${content}`;
}

/** Selects the items that are published, by their publications. */
const selectPublished = `SELECT ${columns} FROM ${itemContents.table} c
  JOIN LATERAL (SELECT * FROM items t WHERE t.tenant_id = $1 AND t.id = c.item_id OFFSET 0) t ON true`;
const publications = `c.tenant_id = $1 AND ${contentsIn("published")}`;

/** The items with a version, for counts. */
const existingIn = (version: ItemVersion) =>
  version === "draft"
    ? "items t CROSS JOIN (SELECT $2::text) AS any_language"
    : `items t JOIN ${itemContents.table} c ON c.item_id = t.id AND ${publications}`;

/** The matching items, ordered by id. */
export async function findItems(
  queries: Queries,
  tenantId: string,
  scope: ItemScope,
  identity: ItemIdentity | { ids: readonly string[] },
): Promise<ItemView[]> {
  const [condition, value] = conditionOf(identity);
  const rows = await queries.query<JoinedRow>(
    `${selectOf(scope.version)} WHERE t.tenant_id = $1 AND ${condition} ORDER BY t.id`,
    [tenantId, scope.language, value],
  );
  return rows.map((row) => viewOf(row, scope));
}

/** The draft of an item as `findItems` would return it after the commit; undefined unless all of it is in memory. */
export function draftInMemory(unit: UnitOfWork, id: string, language: string): ItemView | undefined {
  const item = unit.loaded(items, id);
  const draft = unit.loaded(itemContents, id, language, "draft");
  if (!item || draft === null) return undefined;
  const scope = { language, version: "draft" } as const;
  if (draft === undefined) return { ...item, ...scope, content: null };
  const { name, versionId, updatedAt } = draft;
  const components = JSON.parse(JSON.stringify(draft.components));
  return { ...item, ...scope, content: { name, components, variants: null, versionId, updatedAt } };
}

function conditionOf(identity: ItemIdentity | { ids: readonly string[] }): [string, Parameter] {
  if ("ids" in identity) return ["t.id = ANY($3::text[])", identity.ids];
  if (identity.id) return ["t.id = $3", identity.id];
  if (identity.resourceIdentifier) return ["t.resource_identifier = $3", identity.resourceIdentifier];
  return ["t.external_reference = $3", identity.externalReference ?? null];
}

/** The tenant's items except its root: of one parent in their order, otherwise ordered by id. */
export async function listItems(
  queries: Queries,
  tenantId: string,
  scope: ItemScope,
  filter: ItemFilter,
  request: PageRequest,
): Promise<Page<ItemView>> {
  const { conditions, parameters } = conditionList(
    [
      ["t.type = ?", filter.type],
      ["t.shape_identifier = ?", filter.shapeIdentifier],
      ["t.parent_id = ?", filter.parentItemId],
      ["t.external_reference = ANY(?::text[])", filter.externalReferences],
      ["t.resource_identifier = ANY(?::text[])", filter.resourceIdentifiers],
    ],
    3,
  );
  const byLocation = Boolean(filter.parentItemId);
  const isPublished = scope.version === "published";
  const byPublication = isPublished && conditions.length === 0;
  // Without any publication, those that fit the filter need not be looked at.
  const existing = isPublished
    ? [byPublication ? publications : `EXISTS (SELECT FROM ${itemContents.table} c WHERE ${publications})`]
    : [];
  const list = {
    select: byPublication ? selectPublished : selectOf(scope.version),
    counted: `SELECT FROM ${existingIn(scope.version)}`,
    conditions: ["t.parent_id IS NOT NULL", ...existing, ...conditions],
    parameters: [scope.language, ...parameters],
    order: byLocation ? ["t.sort_key", "t.id"] : byPublication ? ["c.item_id"] : ["t.id"],
    keyOf: (row: JoinedRow) => (byLocation ? [row.sortKey, row.id] : [row.id]),
  };
  const { nodes, ...rest } = await listRows<JoinedRow>(queries, tenantId, list, request);
  return { ...rest, nodes: nodes.map((row) => viewOf(row, scope)) };
}

/**
 * The first children of each parent after a cursor, in order: one page per parent that has any, by its id.
 * `countChildren` returns the total.
 */
export async function childrenOfItems(
  queries: Queries,
  tenantId: string,
  scope: ItemScope,
  { first, after }: PageRequest,
  parentIds: readonly string[],
  countChildren: (parentId: string) => Promise<number>,
): Promise<Map<string, Page<ItemView>>> {
  const position = after ? readCursor(after, 2) : [];
  const rows = await queries.query<JoinedRow & { parentId: string }>(
    `SELECT f.* FROM unnest($3::text[]) AS p(id) CROSS JOIN LATERAL (
       ${selectOf(scope.version)} WHERE t.tenant_id = $1 AND t.parent_id = p.id
         ${after ? "AND (t.sort_key, t.id) > ($4, $5)" : ""}
       ORDER BY t.sort_key, t.id LIMIT ${first + 1}
     ) f`,
    [tenantId, scope.language, parentIds, ...position],
  );
  const pages = [...Map.groupBy(rows, ({ parentId }) => parentId)].map(
    ([parentId, children]): [string, Page<ItemView>] => [
      parentId,
      page(children, first, {
        cursor: ({ sortKey, id }) => writeCursor([sortKey, id]),
        node: (row) => viewOf(row, scope),
        totalCount: () => countChildren(parentId),
      }),
    ],
  );
  return new Map(pages);
}

/** The number of children of each parent in a scope, by its id. */
export async function childCountsOfItems(
  queries: Queries,
  tenantId: string,
  scope: ItemScope,
  parentIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.query<{ id: string; count: number }>(
    `SELECT t.parent_id AS id, count(*) AS count FROM ${existingIn(scope.version)}
     WHERE t.tenant_id = $1 AND t.parent_id = ANY($3::text[]) GROUP BY 1`,
    [tenantId, scope.language, parentIds],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The shape identifiers of items, by item id; the root folder has none. */
export async function shapeIdentifiersOfItems(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await queries.query<{ id: string; shape: string }>(
    `SELECT t.id, t.shape_identifier AS shape FROM items t
     WHERE t.tenant_id = $1 AND t.id = ANY($2::text[]) AND t.shape_identifier IS NOT NULL`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, shape }) => [id, shape]));
}

export interface AvailableVersion {
  id: string;
  label: ItemVersion;
  createdAt: string;
}

/** The versions that items have in one language, the draft first, by item id. */
export async function versionsOfItems(
  queries: Queries,
  tenantId: string,
  language: string,
  ids: readonly string[],
): Promise<Map<string, AvailableVersion[]>> {
  const rows = await queries.query<AvailableVersion & { itemId: string }>(
    `SELECT c.item_id AS "itemId", c.version_id AS id, c.version AS label, c.updated_at AS "createdAt"
     FROM item_contents c WHERE c.tenant_id = $1 AND c.language = $2 AND c.item_id = ANY($3::text[])
     ORDER BY c.version`,
    [tenantId, language, ids],
  );
  return Map.groupBy(rows, ({ itemId }) => itemId);
}

/** An item's name in one language: the draft's, otherwise the published one. */
export interface ItemLanguage {
  language: string;
  name: string;
  availableVersions: AvailableVersion[];
}

/** The languages in which items have content, by item id. */
export async function languagesOfItems(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, ItemLanguage[]>> {
  const rows = await queries.query<{ itemId: string } & ItemLanguage>(
    `SELECT c.item_id AS "itemId", c.language, (array_agg(c.name ORDER BY c.version))[1] AS name,
       json_agg(json_build_object('id', c.version_id, 'label', c.version, 'createdAt', c.updated_at)
         ORDER BY c.version) AS "availableVersions"
     FROM item_contents c WHERE c.tenant_id = $1 AND c.item_id = ANY($2::text[]) GROUP BY 1, 2`,
    [tenantId, ids],
  );
  return Map.groupBy(rows, ({ itemId }) => itemId);
}

function viewOf(row: JoinedRow, { language, version }: ItemScope): ItemView {
  const { contentName, contentComponents, contentVariants, contentFacts, ...rest } = row;
  const { contentVersionId, contentUpdatedAt, ...item } = rest;
  const content = contentVersionId !== null && {
    name: contentName,
    components: contentComponents,
    variants: contentVariants && withFacts(contentVariants, contentFacts ?? []),
    versionId: contentVersionId,
    updatedAt: contentUpdatedAt,
  };
  return { ...item, language, version, content: content || null };
}

/** Items of a shape, such as `the item 0123456789abcdef01234567`: at most `most`. */
export async function itemsWithShape(unit: UnitOfWork, shape: string, most: number): Promise<string[]> {
  const rows = await unit.ask<{ id: string }>(
    "SELECT id FROM items t WHERE t.tenant_id = $1 AND t.shape_identifier = $2 ORDER BY id LIMIT $3",
    [shape, most],
  );
  return rows.map(({ id }) => `the item ${id}`);
}
