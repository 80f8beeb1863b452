import { isDeepStrictEqual } from "node:util";
import type { ItemContentRow } from "../../../storage/collections/item-contents.ts";
import type { ItemRow } from "../../../storage/collections/items.ts";
import type { ProductVariantRow } from "../../../storage/collections/product-variants.ts";
import { type PublishedVariantRow, withFacts } from "../../../storage/collections/published-variants.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import { identified, type Operation, operation } from "../operation.ts";
import type { ReadableContent } from "./checked-content.ts";
import { type VariantFields, variantsIn } from "./variants.ts";

/** An item with everything that belongs to it; languages are in the tenant's order. */
export interface DumpedItem {
  readonly item: ItemRow;
  readonly topicIds: readonly string[];
  readonly drafts: readonly ItemContentRow[];
  readonly published: readonly ItemContentRow[];
  readonly variants: readonly ProductVariantRow[];
  readonly facts: readonly PublishedVariantRow[];
}

/** The content of an item in one language, as in an update's payload. */
export interface Version {
  readonly language: string;
  readonly name: string;
  readonly components: ItemContentRow["components"];
  readonly variants?: readonly VariantFields[];
}

/** The versions of an item in writing order: published versions, then drafts. */
export interface Versions {
  readonly published: readonly Version[];
  readonly drafts: readonly Version[];
}

/**
 * Reads the versions of an item. Orders them so that a variant of the draft is never absent between two versions that
 * have it, or it would be recreated as another variant: each publication has all lasting variants of the previous ones.
 * Published content, and content that creates the item or a variant, must be complete.
 */
export function versionsOf(dumped: DumpedItem, readable: ReadableContent): Versions {
  const { item, variants, facts } = dumped;
  const publishedIds = new Set(
    dumped.published.flatMap(({ variants }) => variants ?? []).map(({ id }) => id),
  );
  const versionOf = (
    content: ItemContentRow,
    rows: readonly ProductVariantRow[],
    isWhole: boolean,
    isWholeIn: (variant: ProductVariantRow) => boolean,
  ): Version => ({
    language: content.language,
    name: content.name,
    components: readable(item, "components", content.components, isWhole),
    ...(item.type === "product" && {
      variants: variantsIn(content, rows, (variant, components) =>
        readable(item, "variantComponents", components, isWholeIn(variant)),
      ),
    }),
  });
  return {
    published: inOrder(dumped).map((content) =>
      versionOf(content, withFacts(content.variants ?? [], facts), true, () => true),
    ),
    drafts: dumped.drafts.map((content, i) =>
      versionOf(
        content,
        variants,
        i === 0 && dumped.published.length === 0,
        ({ id }) => i === 0 && !publishedIds.has(id),
      ),
    ),
  };
}

function inOrder({ published, variants }: DumpedItem): readonly ItemContentRow[] {
  if (published.length < 2) return published;
  const lasting = new Set(variants.map(({ id }) => id));
  const count = ({ variants }: ItemContentRow) => (variants ?? []).filter(({ id }) => lasting.has(id)).length;
  return published.toSorted((a, b) => count(a) - count(b));
}

/**
 * The operations that create an item. Published versions come first, each language followed by its publication; then
 * drafts, if they differ. So languages agree in shared content at every step.
 */
export function itemOperations(
  dumped: DumpedItem,
  readable: ReadableContent,
  tenant: DumpedTenant,
): Operation[] {
  const { published, drafts } = versionsOf(dumped, readable);
  const [first, ...others] = [
    ...published.flatMap((version) => [version, "publish" as const]),
    ...differing(drafts, published),
  ];
  if (first === undefined || first === "publish") {
    tenant.omissions.add("an item without content in any language", dumped.item.id);
    return [];
  }
  const isPublished = published.length > 0;
  const operations = [creation(dumped, first, isPublished)];
  let last = first;
  for (const [i, step] of others.entries())
    if (step === "publish") operations.push(publication(dumped, last));
    else {
      last = step;
      operations.push(update(dumped, step, others[i + 1] === "publish"));
    }
  return operations;
}

/** The drafts to write after the publications. */
function differing(drafts: readonly Version[], published: readonly Version[]): readonly Version[] {
  const isPublished = ({ language }: Version) => published.some((other) => other.language === language);
  const isSame = (version: Version) =>
    published.some((other) => other.language === version.language && isDeepStrictEqual(other, version));
  const agree = drafts.filter(isPublished).every(isSame);
  return agree ? drafts.filter((version) => !isPublished(version)) : drafts;
}

/** An upsert of an item with all of its fields. `isNamed`: a publication of the version follows. */
export function creation(
  { item, topicIds }: DumpedItem,
  { variants, ...version }: Version,
  isNamed: boolean,
): Operation {
  const { type, id, externalReference, resourceIdentifier, vatTypeId } = item;
  const fields = {
    itemId: id,
    ...identified({ externalReference, resourceIdentifier }),
    shapeIdentifier: item.shapeIdentifier,
    createdAt: item.createdAt,
    tree: { parentId: item.parentId },
    ...(vatTypeId !== null && { vatTypeId }),
    topicIds,
    ...version,
    ...(variants && variants.length > 0 && { variants }),
  };
  return operation(`${type}/upsert`, fields, isNamed ? namedBy(item, version) : undefined);
}

/** An update of an item in one language. `isNamed`: a publication of the version follows. */
export function update({ item }: DumpedItem, version: Version, isNamed: boolean): Operation {
  const fields = { itemId: item.id, ...version };
  return operation(`${item.type}/update`, fields, isNamed ? namedBy(item, version) : undefined);
}

/** The publication of the version that the preceding operation writes. */
export const publication = ({ item }: DumpedItem, version: Version): Operation =>
  operation("item/publish", { language: version.language }, namedBy(item, version));

const namedBy = ({ id: itemId }: ItemRow, { language }: Pick<Version, "language">) => ({ itemId, language });
