import { reject } from "../../errors.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import { type PublishedVariantRow, publishedVariants } from "../../storage/collections/published-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import {
  contentsIn,
  publishedContentsIn,
  publishedVariantsOf,
  subtreeOf,
  variantsOfProducts,
} from "../../storage/queries/publications.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";
import { readableContent } from "../content/compiled-content.ts";
import { same } from "../merge.ts";
import { copiesOf, factsArePublished, sameCopies } from "../variant/published-variants.ts";

/** How many items one operation publishes or unpublishes with `includeDescendants`, the named one among them. */
export const maxSubtree = 10_000;

/** An item with its contents in the language in question. */
export interface ItemToPublish {
  item: ItemRow;
  draft: ItemContentRow | undefined;
  published: ItemContentRow | undefined;
  /** Of a product. */
  variants: ProductVariantRow[];
  /** Of a product: the price and stock of its variants as they are published. */
  facts: PublishedVariantRow[];
  /** Those of all languages, if they are loaded already. */
  contents?: ItemContentRow[] | undefined;
}

/** One item by key, so that all of it can have been loaded with the batch. */
export async function itemToPublish(
  unit: UnitOfWork,
  item: ItemRow,
  language: string,
): Promise<ItemToPublish> {
  const owner = { collection: items, key: item.id };
  const isProduct = item.type === "product";
  return {
    item,
    draft: await unit.getUnder(owner, itemContents, item.id, language, "draft"),
    published: await unit.getUnder(owner, itemContents, item.id, language, "published"),
    variants: isProduct ? await unit.findUnder(owner, productVariants, "product", item.id) : [],
    facts: isProduct ? await unit.findUnder(owner, publishedVariants, "product", item.id) : [],
  };
}

/** An item and all below it, in four questions however many they are; rejects as `boundedSubtree`. */
export async function subtreeToPublish(
  unit: UnitOfWork,
  root: ItemRow,
  language: string,
): Promise<ItemToPublish[]> {
  const subtree = await boundedSubtree(unit, root);
  const ids = subtree.map(({ id }) => id);
  const contents = await contentsIn(unit, language, ids);
  const variants = await variantsOfProducts(unit, ids);
  const facts = await publishedVariantsOf(unit, ids);
  const factsBy = Map.groupBy(facts, ({ productId }) => productId);
  const variantsBy = Map.groupBy(variants, ({ productId }) => productId);
  const contentsBy = Map.groupBy(contents, ({ itemId }) => itemId);
  return subtree.map((item) => ({
    item,
    draft: contentsBy.get(item.id)?.find(({ version }) => version === "draft"),
    published: contentsBy.get(item.id)?.find(({ version }) => version === "published"),
    variants: variantsBy.get(item.id) ?? [],
    facts: factsBy.get(item.id) ?? [],
  }));
}

/** What is published in a language: contents of items, and the price and stock that products of them share. */
export interface Publication {
  contents: ItemContentRow[];
  facts: PublishedVariantRow[];
}

/** What is published of one item in a language. */
export async function publicationOf(unit: UnitOfWork, item: ItemRow, language: string): Promise<Publication> {
  const owner = { collection: items, key: item.id };
  const content = await unit.getUnder(owner, itemContents, item.id, language, "published");
  if (content === undefined) return { contents: [], facts: [] };
  const isProduct = item.type === "product";
  const facts = isProduct ? await unit.findUnder(owner, publishedVariants, "product", item.id) : [];
  return { contents: [content], facts };
}

/** What is published of an item and of all below it in a language; rejects as `boundedSubtree`. */
export async function publicationBelow(
  unit: UnitOfWork,
  root: ItemRow,
  language: string,
): Promise<Publication> {
  const ids = (await boundedSubtree(unit, root)).map(({ id }) => id);
  const contents = await publishedContentsIn(unit, language, ids);
  const facts = await publishedVariantsOf(unit, ids);
  return { contents, facts };
}

/** An item and all below it; rejects with `ValidationError` more than `maxSubtree` items. */
async function boundedSubtree(unit: UnitOfWork, { id }: ItemRow): Promise<ItemRow[]> {
  const subtree = await subtreeOf(unit, id, maxSubtree + 1);
  if (subtree.length <= maxSubtree) return subtree;
  return reject(
    "ValidationError",
    `More than ${maxSubtree} items are below ${id}, the limit of one operation; name smaller subtrees`,
    ["includeDescendants"],
  );
}

/** A draft and the variants of its item without what is orphaned in their content, which is not published. */
export async function readableItem(
  unit: UnitOfWork,
  shape: ShapeRow,
  draft: ItemContentRow,
  variants: readonly ProductVariantRow[],
): Promise<{ draft: ItemContentRow; variants: ProductVariantRow[] }> {
  const components = await readableContent(unit, shape, "components", draft.components);
  return {
    draft: { ...draft, components },
    variants: await Promise.all(variants.map((variant) => readableVariant(unit, shape, variant))),
  };
}

async function readableVariant(
  unit: UnitOfWork,
  shape: ShapeRow,
  variant: ProductVariantRow,
): Promise<ProductVariantRow> {
  const contents = Object.entries(variant.contents).map(async ([language, content]) => {
    const components = await readableContent(unit, shape, "variantComponents", content.components);
    return [language, { ...content, components }] as const;
  });
  return { ...variant, contents: Object.fromEntries(await Promise.all(contents)) };
}

/**
 * The row of what is published after publishing, which has the segment of its draft; undefined when the very same is
 * published already.
 */
export function publishedContent(
  { item, published, variants, facts }: ItemToPublish,
  draft: ItemContentRow,
  now: string,
): ItemContentRow | undefined {
  const copies = copiesOf(variants);
  const next = {
    ...draft,
    version: "published" as const,
    parentId: null,
    segment: null,
    isPublished: false,
    variants: item.type === "product" ? copies : null,
    updatedAt: now,
  };
  if (published === undefined || published.versionId !== draft.versionId) return next;
  if (published.segment !== null) return next;
  // A component that is back in the shape is read again in the draft, while the published copy dropped it.
  if (!same(published.components, next.components)) return next;
  return sameCopies(published.variants ?? [], copies) && factsArePublished(variants, facts)
    ? undefined
    : next;
}
