import { payloads } from "@lading/schema";
import { GraphQLBoolean, GraphQLFloat, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { ProductVariantRow, VariantContent } from "../../storage/collections/product-variants.ts";
import type { ItemScope } from "../../storage/queries/items.ts";
import type { CoreContext } from "../context.ts";
import type { ZodObjectSchema } from "../from-zod.ts";
import { listOf } from "../list-of.ts";
import type { Loaders } from "../loaders.ts";
import { GraphQLDateTime } from "../scalars.ts";
import { Component } from "./component.ts";
import { componentViews } from "./component-view.ts";
import { inside } from "./payload-parts.ts";
import { scopeOf } from "./scope.ts";
import { StockLocationSettings } from "./settings/types.ts";
import { stored } from "./stored.ts";

/** A variant as it is in one language. */
export interface VariantView extends Omit<ProductVariantRow, "contents">, ItemScope {
  content: VariantContent | undefined;
}

/** Looks at a variant in one language. */
export function variantView({ contents, ...row }: ProductVariantRow, scope: ItemScope): VariantView {
  const { language, version } = scope;
  return { ...row, language, version, content: contents[language] };
}

const variantInput = payloads["product/variant/create"];

export const ProductVariant: GraphQLObjectType<VariantView, CoreContext> = new GraphQLObjectType({
  name: "ProductVariant",
  fields: () => {
    const fields = stored.fields(variantInput, "ProductVariant");
    return {
      ...fields,
      isDefault: { type: new GraphQLNonNull(GraphQLBoolean) },
      name: { type: GraphQLString, resolve: ({ content }) => content?.name },
      attributes: { ...fields.attributes!, resolve: ({ content }) => content?.attributes ?? [] },
      components: {
        type: listOf(Component),
        resolve: (view, _, { loaders }) =>
          componentViews(view.content?.components, {
            language: view.language,
            version: view.version,
            definitions: () => variantDefinitions(view, loaders),
          }),
      },
      price: {
        type: GraphQLFloat,
        description: "The price for the tenant's first price variant.",
        resolve: ({ priceVariants }: VariantView, _: object, { tenant }: CoreContext) =>
          ofSetting(priceVariants, tenant.settings.priceVariants)?.price,
      },
      stock: {
        type: GraphQLFloat,
        description: "The stock at the tenant's first stock location.",
        resolve: ({ stockLocations }: VariantView, _: object, { tenant }: CoreContext) =>
          ofSetting(stockLocations, tenant.settings.stockLocations)?.stock,
      },
      createdAt: { type: new GraphQLNonNull(GraphQLDateTime) },
      updatedAt: { type: new GraphQLNonNull(GraphQLDateTime) },
    };
  },
});

interface Identified {
  identifier: string;
}

/** The entry for the first of the tenant's settings. */
const ofSetting = <Entry extends Identified>(entries: readonly Entry[], settings: readonly Identified[]) =>
  entries.find(({ identifier }) => identifier === settings[0]?.identifier);

async function variantDefinitions({ productId }: VariantView, loaders: Loaders) {
  const identifier = await loaders.shapeIdentifier(productId);
  return (identifier && (await loaders.shape(identifier))?.variantComponents) || [];
}

const nameIn = (settings: readonly (Identified & { name: string })[], identifier: string) =>
  settings.find((setting) => setting.identifier === identifier)?.name ?? null;

const priceSettings = () => ({
  name: {
    type: GraphQLString,
    resolve: ({ identifier }: Identified, _: object, { tenant }: CoreContext) =>
      nameIn(tenant.settings.priceVariants, identifier),
  },
  currency: {
    type: GraphQLString,
    resolve: ({ identifier }: Identified, _: object, { tenant }: CoreContext) =>
      tenant.settings.priceVariants.find((variant) => variant.identifier === identifier)?.currency,
  },
});
stored.extend("PriceVariantPrice", priceSettings);
stored.extend("VariantPlanPrice", priceSettings);

stored.extend("StockLocationStock", () => ({
  name: {
    type: GraphQLString,
    resolve: ({ identifier }: Identified, _: object, { tenant }: CoreContext) =>
      nameIn(tenant.settings.stockLocations, identifier),
  },
  settings: {
    type: StockLocationSettings,
    description: "What holds for the stock at the location.",
    resolve: ({ identifier }: Identified, _: object, { tenant }: CoreContext) =>
      tenant.settings.stockLocations.find((location) => location.identifier === identifier),
  },
}));

const partOf = (list: "priceVariants" | "stockLocations") =>
  stored.object(inside(variantInput, list, "[]") as ZodObjectSchema);

/** One price of a variant. */
export const ProductPriceVariant = partOf("priceVariants");

/** The stock of a variant at one location. */
export const ProductStockLocation = partOf("stockLocations");

/** The variant with this SKU as it is in one language, or undefined. */
export async function readVariant(
  { loaders, tenant }: CoreContext,
  sku: string,
  language: string | null | undefined,
): Promise<VariantView | undefined> {
  const scope = scopeOf(tenant, { language: language ?? tenant.settings.languages[0]?.code ?? "" });
  const row = await loaders.variant(sku);
  return row && variantView(row, scope);
}
