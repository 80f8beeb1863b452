import { reject } from "../errors.ts";
import { type ItemContentRow, itemContents } from "../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../storage/collections/product-variants.ts";
import type { UnitOfWork } from "../storage/unit-of-work.ts";
import { same } from "./same.ts";

/** How many items one operation publishes or unpublishes with `includeDescendants`, the named one among them. */
export const maxSubtree = 10_000;

/** An item with its contents in the language in question. */
export interface ItemToPublish {
  item: ItemRow;
  draft: ItemContentRow | undefined;
  published: ItemContentRow | undefined;
  /** Of a product. */
  variants: ProductVariantRow[];
}

/** One item by key, so that all of it can have been loaded with the batch. */
export async function itemToPublish(
  unit: UnitOfWork,
  item: ItemRow,
  language: string,
): Promise<ItemToPublish> {
  const owner = { collection: items, key: item.id };
  return {
    item,
    draft: await unit.getUnder(owner, itemContents, item.id, language, "draft"),
    published: await unit.getUnder(owner, itemContents, item.id, language, "published"),
    variants: item.type === "product" ? await unit.findUnder(owner, productVariants, "product", item.id) : [],
  };
}

/** An item and all below it, in three questions however many they are; rejects as `subtreeOf`. */
export async function subtreeToPublish(
  unit: UnitOfWork,
  root: ItemRow,
  language: string,
): Promise<ItemToPublish[]> {
  const subtree = await subtreeOf(unit, root);
  const ids = subtree.map(({ id }) => id);
  const contents = await unit.select(itemContents, "t.language = $2 AND t.item_id = ANY($3)", [
    language,
    ids,
  ]);
  const variants = await unit.select(productVariants, "t.product_id = ANY($2)", [ids]);
  const variantsBy = Map.groupBy(variants, ({ productId }) => productId);
  const contentsBy = Map.groupBy(contents, ({ itemId }) => itemId);
  return subtree.map((item) => ({
    item,
    draft: contentsBy.get(item.id)?.find(({ version }) => version === "draft"),
    published: contentsBy.get(item.id)?.find(({ version }) => version === "published"),
    variants: variantsBy.get(item.id) ?? [],
  }));
}

/** What is published in a language of an item and of all below it; rejects as `subtreeOf`. */
export async function publishedBelow(
  unit: UnitOfWork,
  root: ItemRow,
  language: string,
): Promise<ItemContentRow[]> {
  const ids = (await subtreeOf(unit, root)).map(({ id }) => id);
  const condition = "t.version = 'published' AND t.language = $2 AND t.item_id = ANY($3)";
  return unit.select(itemContents, condition, [language, ids]);
}

/** An item and all below it; rejects with `ValidationError` more than `maxSubtree` items. */
async function subtreeOf(unit: UnitOfWork, { id }: ItemRow): Promise<ItemRow[]> {
  const subtree = await unit.select(
    items,
    `t.id IN (
       WITH RECURSIVE subtree AS (
         SELECT id FROM items WHERE tenant_id = $1 AND id = $2
         UNION SELECT c.id FROM items c JOIN subtree s ON c.tenant_id = $1 AND c.parent_id = s.id
       ) SELECT id FROM subtree LIMIT $3
     )`,
    [id, maxSubtree + 1],
  );
  if (subtree.length <= maxSubtree) return subtree;
  return reject(
    "ValidationError",
    `More than ${maxSubtree} items are below ${id}, the limit of one operation; name smaller subtrees`,
    ["includeDescendants"],
  );
}

/** The row of what is published after publishing; undefined when the very same is published already. */
export function publishedContent(
  { item, published, variants }: ItemToPublish,
  draft: ItemContentRow,
  now: string,
): ItemContentRow | undefined {
  const sorted = variants.toSorted((a, b) => a.position - b.position);
  const next = {
    ...draft,
    version: "published" as const,
    parentId: null,
    segment: null,
    variants: item.type === "product" ? sorted : null,
    updatedAt: now,
  };
  if (published === undefined || published.versionId !== draft.versionId) return next;
  return same(published.variants, next.variants) ? undefined : next;
}
