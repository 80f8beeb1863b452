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

const select = `SELECT ${items.sql.columnList}, c.name AS "contentName", c.components AS "contentComponents",
    c.variants AS "contentVariants", c.version_id AS "contentVersionId", c.updated_at AS "contentUpdatedAt",
    CASE WHEN c.variants IS NOT NULL THEN (
      SELECT json_agg(json_build_object('variantId', p.variant_id, 'priceVariants', p.price_variants,
        'stockLocations', p.stock_locations))
      FROM published_variants p WHERE p.tenant_id = t.tenant_id AND p.product_id = t.id
    ) END AS "contentFacts"
  FROM items t LEFT JOIN ${itemContents.table} c
    ON c.tenant_id = t.tenant_id AND c.item_id = t.id AND c.language = $2 AND c.version = $3`;

/**
 * The matching items, ordered by id. A published version of an item exists only if it was published; a draft always
 * exists, with or without content in the language.
 */
export async function findItems(
  queries: Queries,
  tenantId: string,
  scope: ItemScope,
  identity: ItemIdentity | { ids: readonly string[] },
): Promise<ItemView[]> {
  const [condition, value] = conditionOf(identity);
  const rows = await queries.query<JoinedRow>(
    `${select} WHERE t.tenant_id = $1 AND ${existing(scope)} AND ${condition} ORDER BY t.id`,
    [tenantId, scope.language, scope.version, value],
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
  if ("ids" in identity) return ["t.id = ANY($4::text[])", identity.ids];
  if (identity.id) return ["t.id = $4", identity.id];
  if (identity.resourceIdentifier) return ["t.resource_identifier = $4", identity.resourceIdentifier];
  return ["t.external_reference = $4", identity.externalReference ?? null];
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
    4,
  );
  const byLocation = Boolean(filter.parentItemId);
  const list = {
    select,
    conditions: [existing(scope), "t.parent_id IS NOT NULL", ...conditions],
    parameters: [scope.language, scope.version, ...parameters],
    order: byLocation ? ["t.sort_key", "t.id"] : ["t.id"],
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
    `SELECT f.* FROM unnest($4::text[]) AS p(id) CROSS JOIN LATERAL (
       ${select} WHERE t.tenant_id = $1 AND ${existing(scope)} AND t.parent_id = p.id
         ${after ? "AND (t.sort_key, t.id) > ($5, $6)" : ""}
       ORDER BY t.sort_key, t.id LIMIT ${first + 1}
     ) f`,
    [tenantId, scope.language, scope.version, parentIds, ...position],
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
    `SELECT f."parentId" AS id, count(*) AS count FROM (
       ${select} WHERE t.tenant_id = $1 AND ${existing(scope)} AND t.parent_id = ANY($4::text[])
     ) f GROUP BY 1`,
    [tenantId, scope.language, scope.version, parentIds],
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

const existing = ({ version }: ItemScope) => (version === "published" ? "c.version_id IS NOT NULL" : "true");

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
