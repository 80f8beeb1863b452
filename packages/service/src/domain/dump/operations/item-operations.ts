import { isDeepStrictEqual } from "node:util";
import type { ItemContentRow } from "../../../storage/collections/item-contents.ts";
import type { ItemRow } from "../../../storage/collections/items.ts";
import type { ProductVariantRow } from "../../../storage/collections/product-variants.ts";
import { type PublishedVariantRow, withFacts } from "../../../storage/collections/published-variants.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import { filled, type Operation, operation } from "../operation.ts";
import type { ReadableContent } from "./readable-content.ts";
import { type VariantFields, variantsIn } from "./variants.ts";

/** An item with all that belongs to it; the languages are in the order of the tenant's. */
export interface DumpedItem {
  readonly item: ItemRow;
  readonly topicIds: readonly string[];
  readonly drafts: readonly ItemContentRow[];
  readonly published: readonly ItemContentRow[];
  readonly variants: readonly ProductVariantRow[];
  readonly facts: readonly PublishedVariantRow[];
}

/** The content of an item in one language, as an update takes it. */
interface Version {
  readonly language: string;
  readonly name: string;
  readonly components: ItemContentRow["components"];
  readonly variants?: readonly VariantFields[];
}

/**
 * The operations that make an item. What is published comes first, each language followed by its publication; then the
 * drafts, if they differ. So languages that share content agree at every step.
 */
export function itemOperations(
  dumped: DumpedItem,
  readable: ReadableContent,
  tenant: DumpedTenant,
): Operation[] {
  const { item, drafts, published, variants, facts } = dumped;
  const versionOf = (content: ItemContentRow, rows: readonly ProductVariantRow[]): Version => ({
    language: content.language,
    name: content.name,
    components: readable(item, "components", content.components),
    ...(item.type === "product" && {
      variants: variantsIn(content, rows, (components) =>
        readable(item, "variantComponents", components),
      ),
    }),
  });
  const publications = published.map((content) =>
    versionOf(content, withFacts(content.variants ?? [], facts)),
  );
  const edited = drafts.map((content) => versionOf(content, variants));
  const operations = writing(dumped, edited, publications, tenant.isNatural);
  if (operations.length === 0) tenant.omissions.add("an item without content in any language", item.id);
  return operations;
}

/** `isWhole`: with empty fields, too, because the item may be there already. */
function writing(
  dumped: DumpedItem,
  edited: readonly Version[],
  publications: readonly Version[],
  isWhole: boolean,
): Operation[] {
  const { type, id } = dumped.item;
  const operations: Operation[] = [];
  const write = (version: Version) =>
    operations.push(
      operations.length === 0
        ? operation(`${type}/upsert`, isWhole ? whole(dumped, version) : created(dumped, version))
        : operation(`${type}/update`, { itemId: id, ...version }),
    );
  for (const version of publications) {
    write(version);
    operations.push(operation("item/publish", { itemId: id, language: version.language }));
  }
  const isPublished = ({ language }: Version) => publications.some((other) => other.language === language);
  const isSame = (version: Version) =>
    publications.some((other) => other.language === version.language && isDeepStrictEqual(other, version));
  const agree = edited.filter(isPublished).every(isSame);
  for (const version of edited) if (!agree || !isPublished(version)) write(version);
  return operations;
}

/** The fields of an item that are the same in every language. */
const creation = ({ item, topicIds }: DumpedItem) => ({
  itemId: item.id,
  shapeIdentifier: item.shapeIdentifier,
  createdAt: item.createdAt,
  tree: { parentId: item.parentId },
  ...filled({
    externalReference: item.externalReference,
    resourceIdentifier: item.resourceIdentifier,
    vatTypeId: item.vatTypeId,
    topicIds,
  }),
});

const created = (item: DumpedItem, { variants, ...version }: Version) => ({
  ...creation(item),
  ...filled(version),
  ...(variants && variants.length > 0 && { variants: variants.map(filled) }),
});

const whole = (item: DumpedItem, { variants, ...version }: Version) => ({
  ...{ externalReference: item.item.externalReference, topicIds: item.topicIds },
  ...creation(item),
  ...version,
  ...(variants && variants.length > 0 && { variants }),
});
