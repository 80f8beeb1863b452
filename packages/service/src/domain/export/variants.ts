import { itemTopics } from "../../storage/collections/item-topics.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import { publishedAmong } from "../../storage/pages/exported.ts";
import { rowsWith } from "../../storage/pages/keyset.ts";
import { bytesOf, groupsOf, pagesOf } from "../dump/pages.ts";
import { type ContentById, componentColumns, contentReader } from "./components.ts";
import { itemIds } from "./items.ts";
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

interface VariantSheetRow {
  readonly variant: ProductVariantRow;
  /** The product; absent unless needed. */
  readonly product: Pick<ItemRow, "shapeIdentifier"> | undefined;
  readonly isPublished: boolean;
  /** Content in the language of the export, of the sheet's shape. */
  readonly components: ContentById;
  readonly prices: ReadonlyMap<string, number>;
  readonly stock: ReadonlyMap<string, number>;
}

const sku = cellOf("sku");

/** The columns that all sheets about variants begin with. */
const skuColumn: Column<VariantSheetRow> = shown("sku", "SKU of the variant", ({ variant }) => variant.sku, {
  isKey: true,
});

const ofProduct: readonly Column<VariantSheetRow>[] = [
  shown("productId", "Id of the product", ({ variant }) => variant.productId),
  shown("shape", "Identifier of the product's shape", ({ product }) => product?.shapeIdentifier, {
    needs: "product",
  }),
  shown("published", "Whether the product is published in the language", ({ isPublished }) => isPublished, {
    type: "boolean",
    needs: "published",
  }),
];

export function variantSheet(scope: ExportScope, shape: ShapeRow | undefined): Sheet<VariantSheetRow> {
  const { language } = scope;
  const key = { sku, language: literal(language) };
  return {
    columns: [
      skuColumn,
      ...variantColumns(language),
      ...factColumns(scope),
      ...componentColumns<VariantSheetRow>(
        shape?.variantComponents ?? [],
        ({ components }) => components,
        { intent: "item/updateComponent/sku", ...key },
        true,
      ),
      ...ofProduct,
    ],
    operation: { intent: "product/variant/update", ...key },
    isTimed: true,
    updatedAt: ({ variant }) => variant.updatedAt,
    sources: ["below", "topic"],
    rows: (scope, reading) => variantRows(scope, reading, shape),
  };
}

const variantColumns = (language: string): Column<VariantSheetRow>[] => [
  field("name", "Name in the language", ({ variant }) => variant.contents[language]?.name, {
    isDefault: true,
  }),
  field(
    "externalReference",
    "Your key of the variant in another system",
    (row) => row.variant.externalReference,
    {
      isDefault: true,
      clears: true,
    },
  ),
  field("isDefault", "Whether it is the product's default variant", ({ variant }) => variant.isDefault, {
    type: "boolean",
    isDefault: true,
  }),
  ...lists(language),
];

/** Lists that are cells of JSON. */
const lists = (language: string): Column<VariantSheetRow>[] => {
  const list = (name: string, about: string, value: Column<VariantSheetRow>["value"]) =>
    field(name, about, value, { type: "json", clears: true });
  return [
    list("attributes", "Attributes in the language", ({ variant }) =>
      listed(variant.contents[language]?.attributes),
    ),
    list("images", "Images", ({ variant }) => listed(variant.images)),
    list("videos", "Videos", ({ variant }) => listed(variant.videos)),
    list("subscriptionPlans", "Prices by subscription plan", ({ variant }) =>
      listed(variant.subscriptionPlans),
    ),
  ];
};

/** A column for each price variant and each stock location of the tenant. */
const factColumns = ({ tenant: { settings } }: ExportScope): Column<VariantSheetRow>[] => [
  ...settings.priceVariants.map(
    ({ identifier, name }): Column<VariantSheetRow> => ({
      name: `price.${identifier}`,
      about: `Price: ${name}`,
      type: "number",
      isDefault: true,
      value: ({ prices }) => prices.get(identifier),
      write: { operation: (cell) => priceOperation(literal(identifier), cell) },
    }),
  ),
  ...settings.stockLocations.map(
    ({ identifier, name }): Column<VariantSheetRow> => ({
      name: `stock.${identifier}`,
      about: `Stock: ${name}`,
      type: "number",
      isDefault: true,
      value: ({ stock }) => stock.get(identifier),
      write: { operation: (cell) => stockOperation(literal(identifier), cell) },
    }),
  ),
];

const priceOperation = (priceVariantIdentifier: string, price: string) => ({
  ...{ intent: "product/variant/price/modify", sku, priceVariantIdentifier, price },
});

const stockOperation = (stockLocationIdentifier: string, quantity: string) => ({
  ...{
    intent: "product/variant/stock/modify",
    operation: "overwrite",
    sku,
    stockLocationIdentifier,
    quantity,
  },
});

type Entries = "priceVariants" | "stockLocations";

interface FactRow<List extends Entries> extends VariantSheetRow {
  readonly entry: ProductVariantRow[List][number];
}

/** A row for each price of each variant. */
export const priceSheet = (): Sheet<FactRow<"priceVariants">> => ({
  columns: [
    skuColumn,
    shown("priceVariant", "Identifier of the price variant", ({ entry }) => entry.identifier, {
      isKey: true,
    }),
    {
      ...{ name: "price", about: "The price", type: "number", isDefault: true },
      value: ({ entry }) => entry.price,
      write: { operation: (cell) => priceOperation(cellOf("priceVariant"), cell) },
    },
    shown("tierType", "How the tiers apply to a quantity", ({ entry }) => entry.tierType),
    shown("tiers", "Prices by quantity", ({ entry }) => listed(entry.tiers), { type: "json" }),
    ...ofProduct,
  ],
  ...factSheet("priceVariants"),
});

/** A row for each stock of each variant. */
export const stockSheet = (): Sheet<FactRow<"stockLocations">> => ({
  columns: [
    skuColumn,
    shown("stockLocation", "Identifier of the stock location", ({ entry }) => entry.identifier, {
      isKey: true,
    }),
    {
      ...{ name: "stock", about: "How many are in stock", type: "number", isDefault: true },
      value: ({ entry }) => entry.stock,
      write: { operation: (cell) => stockOperation(cellOf("stockLocation"), cell) },
    },
    shown("meta", "Keys and values of your own", ({ entry }) => listed(entry.meta), { type: "json" }),
    ...ofProduct,
  ],
  ...factSheet("stockLocations"),
});

const factSheet = <List extends Entries>(list: List): Omit<Sheet<FactRow<List>>, "columns"> => ({
  isTimed: true,
  updatedAt: ({ variant }) => variant.updatedAt,
  sources: ["below", "topic"],
  async *rows(scope, reading) {
    for await (const rows of variantRows(scope, reading, undefined))
      yield rows.flatMap((row) => row.variant[list].map((entry) => ({ ...row, entry })));
  },
});

async function* variantRows(
  scope: ExportScope,
  reading: Reading,
  shape: ShapeRow | undefined,
): AsyncGenerator<VariantSheetRow[]> {
  const isProductNeeded = shape !== undefined || reading.needs.has("product");
  const { tenant, page, language } = scope;
  const readable = await contentReader(scope, shape?.variantComponents ?? []);
  for await (const variants of variantPages(scope, reading)) {
    const ids = [...new Set(variants.map(({ productId }) => productId))];
    const [products, published] = await page((queries) =>
      Promise.all([
        isProductNeeded ? rowsWith(queries, tenant.id, items, "id", ids) : undefined,
        reading.needs.has("published") ? publishedAmong(queries, tenant.id, language, ids) : undefined,
      ]),
    );
    yield variants.flatMap((variant) => {
      const product = products?.get(variant.productId)?.[0];
      if (shape !== undefined && product?.shapeIdentifier !== shape.identifier) return [];
      return {
        ...{ variant, product, isPublished: published?.has(variant.productId) ?? false },
        components: readable(variant.contents[language]?.components ?? []),
        prices: new Map(variant.priceVariants.map(({ identifier, price }) => [identifier, price])),
        stock: new Map(variant.stockLocations.map(({ identifier, stock }) => [identifier, stock])),
      };
    });
  }
}

async function* variantPages(scope: ExportScope, reading: Reading): AsyncGenerator<ProductVariantRow[]> {
  const { tenant, page } = scope;
  const { within, conditions } = reading;
  const sku = conditions.find(
    ({ name, operator, value }) => name === "sku" && operator === "=" && !value.endsWith("*"),
  );
  const withValues = (column: "sku" | "productId", values: readonly string[]) =>
    page(async (queries) => [
      ...(await rowsWith(queries, tenant.id, productVariants, column, values)).values(),
    ]);
  if (sku !== undefined && within.below === undefined && within.topic === undefined)
    return yield (await withValues("sku", [sku.value])).flat();
  if (within.below === undefined && within.topic === undefined) return yield* pagesOf(scope, productVariants);
  const products = { type: "product", shape: undefined } as const;
  for await (const ids of itemIds(scope, reading, products)) {
    const wanted = within.below === undefined ? ids : await idsInTopic(scope, within.topic, ids);
    for await (const group of groupsOf(scope, wanted, [bytesOf(productVariants, "productId")]))
      yield (await withValues("productId", group)).flat();
  }
}

/** Those of some items that have the topic, if one is given. */
async function idsInTopic(
  { tenant, page }: ExportScope,
  topicId: string | undefined,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (topicId === undefined) return ids;
  const topics = await page((queries) => rowsWith(queries, tenant.id, itemTopics, "itemId", ids));
  return ids.filter((id) => topics.get(id)?.some((row) => row.topicId === topicId));
}
