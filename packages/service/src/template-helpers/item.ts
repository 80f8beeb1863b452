import { prefetchShape, readableContent } from "../domain/content/compiled-content.ts";
import { namedContent } from "../domain/content-rules/orphans.ts";
import { pathOf } from "../domain/path/tree-paths.ts";
import { type ItemContentRow, type ItemVersion, itemContents } from "../storage/collections/item-contents.ts";
import { itemTopics } from "../storage/collections/item-topics.ts";
import { type ItemRow, items } from "../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../storage/collections/product-variants.ts";
import { publishedVariants, withFacts } from "../storage/collections/published-variants.ts";
import { type ShapeRow, shapes } from "../storage/collections/shapes.ts";
import type { Prefetch } from "../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { componentEntities } from "./components.ts";
import type { Fetcher, FetchScope, HelperContext } from "./fetcher.ts";
import { variantEntity } from "./product-variant.ts";

export const fetchItemById: Fetcher = {
  missing: "ItemNotFoundError",
  what: "item has the id",
  prefetch: (id, scope, prefetch) => prefetch(items, "key", [id], follow(scope)),
  find: async (context, id, scope) => itemEntity(context, await context.unit.get(items, id), scope),
};

export const fetchItemByResourceIdentifier: Fetcher = {
  missing: "ItemNotFoundError",
  what: "item has the resource identifier",
  prefetch: (name, scope, prefetch) => prefetch(items, "resourceIdentifier", [name], follow(scope)),
  find: async (context, name, scope) => {
    const [item] = await context.unit.find(items, "resourceIdentifier", name);
    return itemEntity(context, item, scope);
  },
};

const follow =
  ({ language, version }: FetchScope) =>
  ({ id, type, parentId, shapeIdentifier }: ItemRow, prefetch: Prefetch): void => {
    if (shapeIdentifier !== null) prefetchShape(shapeIdentifier, prefetch);
    prefetch(itemContents, "key", [id, language, "draft"]);
    prefetch(itemTopics, "item", [id]);
    if (version === "published") {
      prefetch(itemContents, "key", [id, language, version]);
      if (type === "product") prefetch(publishedVariants, "product", [id]);
    } else if (type === "product") prefetch(productVariants, "product", [id]);
    if (parentId !== null) prefetch(items, "key", [parentId], followUp(language, version));
  };

const followUp = (language: string, version: ItemVersion) => {
  const up = ({ id, parentId }: ItemRow, prefetch: Prefetch): void => {
    if (parentId === null) return;
    prefetch(itemContents, "key", [id, language, "draft"]);
    if (version === "published") prefetch(itemContents, "key", [id, language, version]);
    prefetch(items, "key", [parentId], up);
  };
  return up;
};

/** An item as templates see it. A draft is found even without content in the language; a published version is not. */
async function itemEntity(
  context: HelperContext,
  item: ItemRow | undefined,
  { language, version }: FetchScope,
): Promise<object | undefined> {
  if (item === undefined) return undefined;
  const { unit } = context;
  const owner = { collection: items, key: item.id };
  const content = await unit.getUnder(owner, itemContents, item.id, language, version);
  if (content === undefined && version === "published") return undefined;
  const { sortKey: _, vatTypeId, parentId, ...fields } = item;
  const shape = item.shapeIdentifier === null ? undefined : await unit.get(shapes, item.shapeIdentifier);
  const components =
    content && shape && (await readableContent(unit, shape, "components", content.components, namedContent));
  const topics = await unit.findUnder(owner, itemTopics, "item", item.id);
  return {
    ...fields,
    topicIds: topics.toSorted((a, b) => a.position - b.position).map(({ topicId }) => topicId),
    updatedAt: content && content.updatedAt > item.updatedAt ? content.updatedAt : item.updatedAt,
    language,
    name: content?.name ?? null,
    version: content ? { id: content.versionId, label: version, createdAt: content.updatedAt } : null,
    tree: { itemId: item.id, parentId, path: await pathOf(context, item.id, language, version) },
    components: componentEntities(components),
    ...(item.type === "product" && {
      vatTypeId,
      ...(await variantFields(
        content && version === "published"
          ? await variantsPublished(unit, content)
          : await variantsNow(unit, item.id),
        language,
        context,
        shape,
      )),
    }),
  };
}

async function variantsPublished(
  unit: UnitOfWork,
  { itemId, variants }: ItemContentRow,
): Promise<ProductVariantRow[]> {
  const owner = { collection: items, key: itemId };
  return withFacts(variants ?? [], await unit.findUnder(owner, publishedVariants, "product", itemId));
}

async function variantsNow(unit: UnitOfWork, productId: string): Promise<ProductVariantRow[]> {
  const owner = { collection: items, key: productId };
  const variants = await unit.findUnder(owner, productVariants, "product", productId);
  return variants.toSorted((a, b) => a.position - b.position);
}

async function variantFields(
  rows: readonly ProductVariantRow[],
  language: string,
  context: HelperContext,
  shape: ShapeRow | undefined,
) {
  const variants = await Promise.all(rows.map((row) => variantEntity(row, language, context, shape)));
  return { variants, defaultVariant: variants.find(({ isDefault }) => isDefault) ?? null };
}
