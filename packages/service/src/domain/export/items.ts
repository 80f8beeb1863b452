import { itemContents } from "../../storage/collections/item-contents.ts";
import { itemTopics } from "../../storage/collections/item-topics.ts";
import { items } from "../../storage/collections/items.ts";
import type { ShapeRow, ShapeType } from "../../storage/collections/shapes.ts";
import { itemsOfTopic, publishedAmong } from "../../storage/pages/exported.ts";
import { rowsWith } from "../../storage/pages/keyset.ts";
import { type ContentView, findItems, type ItemView } from "../../storage/queries/items.ts";
import { pathsOfItems } from "../../storage/queries/tree.ts";
import { pageLimits } from "../dump/dumped-tenant.ts";
import { bytesOf, groupsOf, pagesBelow, pagesOf } from "../dump/pages.ts";
import { type ContentById, componentColumns, contentReader } from "./components.ts";
import {
  type Column,
  cellOf,
  type ExportScope,
  field,
  listed,
  literal,
  type Reading,
  type Sheet,
  shown,
} from "./sheet.ts";

/** An item with its draft in the language of the export. */
interface ItemSheetRow extends Omit<ItemView, "content"> {
  readonly content: ContentView;
  /** Content of the sheet's shape. */
  readonly components: ContentById;
  readonly path: string | null;
  readonly topicIds: readonly string[];
  readonly isPublished: boolean;
}

/** Which items: of a type, and of a shape if given. */
interface ItemKind {
  readonly type: ShapeType;
  readonly shape: ShapeRow | undefined;
}

/** Products, or the items of one shape. Those without content in the language are left out. */
export function itemSheet(scope: ExportScope, kind: ItemKind): Sheet<ItemSheetRow> {
  const key = { itemId: cellOf("itemId"), language: literal(scope.language) };
  const { type, shape } = kind;
  return {
    columns: [
      ...itemColumns(type),
      ...componentColumns<ItemSheetRow>(
        shape?.components ?? [],
        ({ components }) => components,
        { intent: "item/updateComponent/item", ...key },
        true,
      ),
    ],
    operation: { intent: `${type}/update`, ...key },
    isTimed: true,
    updatedAt: ({ updatedAt, content }) => (content.updatedAt > updatedAt ? content.updatedAt : updatedAt),
    publish: { intent: "item/publish", ...key },
    sources: ["below", "topic"],
    rows: (scope, reading) => itemRows(scope, reading, kind),
  };
}

const itemColumns = (type: ShapeType): Column<ItemSheetRow>[] => [
  shown("itemId", "Id of the item", ({ id }) => id, { isKey: true }),
  shown("path", "Path of the item in the language", ({ path }) => path, { isDefault: true, needs: "path" }),
  field("name", "Name in the language; the path comes from it", ({ content }) => content.name, {
    isDefault: true,
  }),
  field("externalReference", "Your key of the item in another system", (row) => row.externalReference, {
    isDefault: true,
    clears: true,
  }),
  field("resourceIdentifier", "Your identifier of the item", (row) => row.resourceIdentifier),
  ...(type === "product"
    ? [field<ItemSheetRow>("vatTypeId", "Id of the VAT type", (row) => row.vatTypeId, { isDefault: true })]
    : []),
  field("topicIds", "Ids of the topics, in order", ({ topicIds }) => listed(topicIds), {
    type: "json",
    clears: true,
    needs: "topics",
  }),
  shown("shape", "Identifier of the shape", (row) => row.shapeIdentifier),
  shown("parentId", "Id of the folder that the item is in", (row) => row.parentId),
  shown("published", "Whether the item is published in the language", (row) => row.isPublished, {
    type: "boolean",
    isDefault: true,
    needs: "published",
  }),
  shown("createdAt", "When the item was created", (row) => row.createdAt),
];

async function* itemRows(
  scope: ExportScope,
  reading: Reading,
  kind: ItemKind,
): AsyncGenerator<ItemSheetRow[]> {
  const readable = await contentReader(scope, kind.shape?.components ?? []);
  for await (const ids of itemIds(scope, reading, kind))
    for await (const group of groupsOf(scope, ids, [bytesOf(itemContents, "itemId")]))
      yield (await rowsOf(scope, reading, kind, group)).map((row) => ({
        ...row,
        components: readable(row.content.components),
      }));
}

async function rowsOf(
  { tenant, page, language }: ExportScope,
  { needs, within }: Reading,
  kind: ItemKind,
  ids: readonly string[],
): Promise<Omit<ItemSheetRow, "components">[]> {
  const draft = { language, version: "draft" } as const;
  const needsTopics = needs.has("topics") || within.topic !== undefined;
  const [views, paths, topics, published] = await page((queries) =>
    Promise.all([
      findItems(queries, tenant.id, draft, { ids }),
      needs.has("path") ? pathsOfItems(queries, tenant.id, draft, ids) : undefined,
      needsTopics ? rowsWith(queries, tenant.id, itemTopics, "itemId", ids) : undefined,
      needs.has("published") ? publishedAmong(queries, tenant.id, language, ids) : undefined,
    ]),
  );
  return views.flatMap((view) => {
    const { id, content } = view;
    const own = (topics?.get(id) ?? []).sort((a, b) => a.position - b.position);
    const topicIds = own.map(({ topicId }) => topicId);
    if (content === null || !isOf(kind, view)) return [];
    if (within.topic !== undefined && !topicIds.includes(within.topic)) return [];
    const path = paths?.get(id) ?? null;
    return [{ ...view, content, path, topicIds, isPublished: published?.has(id) ?? false }];
  });
}

const isOf = (
  { type, shape }: ItemKind,
  item: { type: ShapeType; shapeIdentifier: string | null; parentId: string | null },
): boolean =>
  item.type === type &&
  item.parentId !== null &&
  (shape === undefined || item.shapeIdentifier === shape.identifier);

/** Reads the ids of items in pages: those below a folder, those of a topic, or all of the kind. */
export async function* itemIds(
  scope: ExportScope,
  { within, conditions }: Pick<Reading, "within" | "conditions">,
  kind: ItemKind,
): AsyncGenerator<string[]> {
  if (within.below !== undefined) {
    for await (const found of pagesBelow(scope, { table: "items", order: "sort_key" }, [within.below]))
      yield found.map(({ id }) => id);
    return;
  }
  if (within.topic !== undefined) return yield* idsOfTopic(scope, within.topic);
  const shape = conditions.find(({ name, operator }) => name === "shape" && operator === "=")?.value;
  for await (const rows of pagesOf(scope, items)) {
    const ids = rows
      .filter((row) => isOf(kind, row) && (shape === undefined || row.shapeIdentifier === shape))
      .map(({ id }) => id);
    if (ids.length > 0) yield ids;
  }
}

async function* idsOfTopic({ tenant, page }: ExportScope, topicId: string): AsyncGenerator<string[]> {
  for (let last = ""; ; ) {
    const after = last;
    const ids = await page((queries) => itemsOfTopic(queries, tenant.id, topicId, after));
    for (let start = 0; start < ids.length; start += pageLimits.rows)
      yield ids.slice(start, start + pageLimits.rows);
    if (ids.length === 0) return;
    last = ids.at(-1)!;
  }
}
