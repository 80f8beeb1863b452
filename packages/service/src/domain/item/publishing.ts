import { same } from "@lading/schema/internal";
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
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { readableContent } from "../content/compiled-content.ts";
import { named } from "../payload/named-row.ts";
import { copiesOf, factsArePublished, sameCopies } from "../variant/published-variants.ts";

/** Maximum number of items one operation publishes or unpublishes with `includeDescendants`, including the root. */
export const maxSubtree = 10_000;

export interface ItemToPublish {
  item: ItemRow;
  draft: ItemContentRow | undefined;
  published: ItemContentRow | undefined;
  /** The variants of a product; empty for other kinds. */
  variants: ProductVariantRow[];
  /** The published price and stock of a product's variants; empty for other kinds. */
  facts: PublishedVariantRow[];
  /** The contents in all languages, if already loaded. */
  contents?: ItemContentRow[] | undefined;
}

/** Reads one item by keys that can be declared and loaded with the batch. */
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

/** Reads an item and its descendants, in four queries regardless of their number; rejects like `boundedSubtree`. */
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

/** The published contents of items in a language, and the published price and stock of their variants. */
export interface Publication {
  contents: ItemContentRow[];
  facts: PublishedVariantRow[];
}

export async function publicationOf(unit: UnitOfWork, item: ItemRow, language: string): Promise<Publication> {
  const owner = { collection: items, key: item.id };
  const content = await unit.getUnder(owner, itemContents, item.id, language, "published");
  if (content === undefined) return { contents: [], facts: [] };
  const isProduct = item.type === "product";
  const facts = isProduct ? await unit.findUnder(owner, publishedVariants, "product", item.id) : [];
  return { contents: [content], facts };
}

/** Reads the published versions of an item and its descendants in a language; rejects like `boundedSubtree`. */
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

/** Reads an item and its descendants; rejects more than `maxSubtree` items with `ValidationError`. */
async function boundedSubtree(unit: UnitOfWork, root: ItemRow): Promise<ItemRow[]> {
  const subtree = await subtreeOf(unit, root.id, maxSubtree + 1);
  if (subtree.length <= maxSubtree) return subtree;
  return reject(
    "ValidationError",
    `More than ${maxSubtree} items are below ${named(root)}, the limit of one operation; name smaller subtrees`,
    ["includeDescendants"],
  );
}

/** Removes orphaned content, which is not published, from a draft and its item's variants. */
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

/** The published version's row after publishing, with its draft's segment; undefined when already published. */
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
  // The draft shows a component again that is back in the shape, while the published copy dropped it.
  if (!same(published.components, next.components)) return next;
  return sameCopies(published.variants ?? [], copies, draft.language) && factsArePublished(variants, facts)
    ? undefined
    : next;
}
