import { images } from "../../../storage/collections/images.ts";
import { type ItemContentRow, itemContents } from "../../../storage/collections/item-contents.ts";
import { itemTopics } from "../../../storage/collections/item-topics.ts";
import { items } from "../../../storage/collections/items.ts";
import { pieces } from "../../../storage/collections/pieces.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import { publishedVariants } from "../../../storage/collections/published-variants.ts";
import { shapes } from "../../../storage/collections/shapes.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import { readAhead } from "../ahead.ts";
import type { DumpedTenant, ReadKind } from "../dumped-tenant.ts";
import { allRows, bytesOf, groupsOf, pagesBelow, pagesOf } from "../pages.ts";
import { type DumpedItem, itemOperations } from "./item-operations.ts";
import { readableContent } from "./readable-content.ts";
import { StockRules } from "./stock-rules.ts";

/** Reads folders, documents and products level by level, those of a folder in the order in which it shows them. */
export const readItems: ReadKind = async function* (dumped) {
  const { tenant } = dumped;
  const { omissions } = dumped;
  const readable = readableContent(await allRows(dumped, shapes), await allRows(dumped, pieces), omissions);
  const rules = new StockRules(tenant.settings.stockLocations);
  for await (const group of readAhead(groupsOfItems(dumped))) {
    const page = await itemsWith(dumped, group);
    yield [...rules.lifted(page), ...page.flatMap((item) => itemOperations(item, readable, dumped))];
  }
  yield rules.restored();
  await noteImages(dumped);
};

/** Reads the ids of the items that fit into a page together. */
async function* groupsOfItems(dumped: DumpedTenant): AsyncGenerator<string[], void> {
  const { rootItemId } = dumped.tenant;
  for await (const found of pagesBelow(dumped, { table: "items", order: "sort_key" }, [rootItemId]))
    yield* groupsOf(
      dumped,
      found.map(({ id }) => id),
      largeParts,
    );
}

/** The rows that may make an item large. */
const largeParts = [
  bytesOf(itemContents, "itemId"),
  bytesOf(productVariants, "productId"),
  bytesOf(publishedVariants, "productId"),
];

/** Notes the names of images: they are fetched again where items use them, and have no name then. */
async function noteImages(dumped: DumpedTenant): Promise<void> {
  for await (const rows of pagesOf(dumped, images, ["resourceIdentifier"]))
    for (const { resourceIdentifier } of rows)
      if (resourceIdentifier !== null)
        dumped.omissions.add("the resource identifier of an image", resourceIdentifier);
}

/** Reads items with all that belongs to them, in the order of the ids: a query for each table. */
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
  const place = ({ language }: ItemContentRow) => languages.indexOf(language);
  return ids.flatMap((id) => {
    const [item] = rows.get(id) ?? [];
    if (item === undefined) return [];
    const own = (contents.get(id) ?? []).sort((a, b) => place(a) - place(b));
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
