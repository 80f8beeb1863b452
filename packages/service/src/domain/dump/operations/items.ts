import { images } from "../../../storage/collections/images.ts";
import { type ItemContentRow, itemContents } from "../../../storage/collections/item-contents.ts";
import { itemTopics } from "../../../storage/collections/item-topics.ts";
import { items } from "../../../storage/collections/items.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import { publishedVariants } from "../../../storage/collections/published-variants.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import { readAhead } from "../ahead.ts";
import { type DumpedTenant, pageLimits, type ReadKind } from "../dumped-tenant.ts";
import { Omissions } from "../omissions.ts";
import type { Operation } from "../operation.ts";
import { bytesOf, groupsOf, pagesBelow, pagesOf } from "../pages.ts";
import { agreedItem } from "./agreed-item.ts";
import { checkedContent } from "./checked-content.ts";
import { DeferredItems } from "./deferred-items.ts";
import { type DumpedItem, itemOperations, update, versionsOf } from "./item-operations.ts";
import { StockRules } from "./stock-rules.ts";
import { temporarySkus } from "./temporary-skus.ts";

/** Reads folders, documents and products level by level, in their order within a folder; then the deferred versions. */
export const readItems: ReadKind = async function* (dumped) {
  const content = await checkedContent(dumped);
  const { readable, endPage } = content;
  const rules = new StockRules(dumped.tenant.settings.stockLocations);
  const deferred = new DeferredItems(await dumped.movedSkus(), temporarySkus(dumped));
  const operationsOf = (item: DumpedItem) =>
    deferred.has(item)
      ? deferred.begin(item, versionsOf(item, readable))
      : itemOperations(item, readable, dumped);
  for await (const group of readAhead(groupsOfItems(dumped))) {
    const page = (await itemsWith(dumped, group)).map((item) => agreedItem(item, content));
    await deferred.name(page);
    for (const item of page) noteOtherLanguages(item, dumped);
    yield [...rules.lifted(page), ...page.flatMap(operationsOf)];
    await endPage();
  }
  if (deferred.ids.length > 0) yield* deferredVersions(dumped, deferred);
  yield rules.restored();
  await noteImages(dumped);
};

/** Records content of variants in languages in which their product has no draft. */
function noteOtherLanguages({ drafts, variants }: DumpedItem, { omissions }: DumpedTenant): void {
  const languages = new Set(drafts.map(({ language }) => language));
  for (const { sku, contents } of variants)
    for (const [language, { name, attributes, components }] of Object.entries(contents))
      if (!languages.has(language) && (name !== null || attributes.length + components.length > 0))
        omissions.add("content of a variant in a language in which its product has none", sku);
}

/** Reads the deferred versions: published ones, then all drafts. */
async function* deferredVersions(dumped: DumpedTenant, deferred: DeferredItems): AsyncGenerator<Operation[]> {
  // Omissions were recorded when the items were created.
  const content = await checkedContent({ ...dumped, omissions: new Omissions() });
  const versions = (item: DumpedItem) => versionsOf(agreedItem(item, content), content.readable);
  const publications = deferred.publications();
  let done = 0;
  for await (const page of pagesWith(
    dumped,
    publications.map(({ itemId }) => itemId),
  )) {
    const some = publications.slice(done, done + page.length);
    yield page.flatMap((item, i) => (item ? deferred.publish(item, versions(item), some[i]!) : []));
    done += page.length;
  }
  for await (const page of pagesWith(dumped, deferred.ids))
    yield page.flatMap((item) =>
      item ? versions(item).drafts.map((draft) => update(item, draft, false)) : [],
    );
}

/** Reads items by id, one per id, which may repeat; undefined if it no longer exists. */
async function* pagesWith(
  dumped: DumpedTenant,
  ids: readonly string[],
): AsyncGenerator<(DumpedItem | undefined)[]> {
  for (let start = 0; start < ids.length; start += pageLimits.rows)
    for await (const group of groupsOf(dumped, ids.slice(start, start + pageLimits.rows), largeParts)) {
      const found = await itemsWith(dumped, [...new Set(group)]);
      const items = new Map(found.map((item) => [item.item.id, item]));
      yield group.map((id) => items.get(id));
    }
}

/** Reads the ids of items in groups that fit into a page. */
async function* groupsOfItems(dumped: DumpedTenant): AsyncGenerator<string[], void> {
  const { rootItemId } = dumped.tenant;
  for await (const found of pagesBelow(dumped, { table: "items", order: "sort_key" }, [rootItemId]))
    yield* groupsOf(
      dumped,
      found.map(({ id }) => id),
      largeParts,
    );
}

/** The rows that can make an item large. */
const largeParts = [
  bytesOf(itemContents, "itemId"),
  bytesOf(productVariants, "productId"),
  bytesOf(publishedVariants, "productId"),
];

/** Records the resource identifiers of images: images are fetched again where items use them, without identifiers. */
async function noteImages(dumped: DumpedTenant): Promise<void> {
  for await (const rows of pagesOf(dumped, images, ["resourceIdentifier"]))
    for (const { resourceIdentifier } of rows)
      if (resourceIdentifier !== null)
        dumped.omissions.add("the resource identifier of an image", resourceIdentifier);
}

/** Reads items with everything that belongs to them, in the order of the ids, with one query per table. */
async function itemsWith({ tenant, page }: DumpedTenant, ids: readonly string[]): Promise<DumpedItem[]> {
  const [rows, contents, topics, variants, facts] = await page((queries) =>
    Promise.all([
      rowsWith(queries, tenant.id, items, "id", ids),
      rowsWith(queries, tenant.id, itemContents, "itemId", ids),
      rowsWith(queries, tenant.id, itemTopics, "itemId", ids),
      rowsWith(queries, tenant.id, productVariants, "productId", ids),
      rowsWith(queries, tenant.id, publishedVariants, "productId", ids),
    ]),
  );
  const languages = tenant.settings.languages.map(({ code }) => code);
  const rank = ({ language }: ItemContentRow) => languages.indexOf(language);
  return ids.flatMap((id) => {
    const [item] = rows.get(id) ?? [];
    if (item === undefined) return [];
    const own = (contents.get(id) ?? []).sort((a, b) => rank(a) - rank(b));
    return {
      item,
      topicIds: (topics.get(id) ?? []).sort((a, b) => a.position - b.position).map((row) => row.topicId),
      drafts: own.filter(({ version }) => version === "draft"),
      published: own.filter(({ version }) => version === "published"),
      variants: (variants.get(id) ?? []).sort((a, b) => a.position - b.position),
      facts: facts.get(id) ?? [],
    };
  });
}
