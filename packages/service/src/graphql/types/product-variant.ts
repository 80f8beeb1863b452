import { payloads } from "@lading/schema";
import { GraphQLFloat, GraphQLObjectType, GraphQLString } from "graphql";
import {
  type ProductVariantRow,
  productVariants,
  type VariantContent,
} from "../../storage/collections/product-variants.ts";
import type { ItemScope } from "../../storage/queries/items.ts";
import { entryOfFirst, priceVariantFacts, stockLocationFacts } from "../../tenants/variant-facts.ts";
import type { CoreContext } from "../context.ts";
import type { FieldsById } from "../derive/from-zod.ts";
import { boolean, listOf, time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { inside } from "../derive/payload-parts.ts";
import { GraphQLJson } from "../derive/scalars.ts";
import type { Loaders } from "../loaders/loaders.ts";
import { Component } from "./content/component.ts";
import { componentViews } from "./content/component-view.ts";
import { displayName } from "./display-name.ts";
import { lastChangeField } from "./last-change.ts";
import { StockLocationSettings } from "./tenant/settings.ts";

/** A variant as it is in one language. */
export interface VariantView extends ProductVariantRow, ItemScope {
  content: VariantContent | undefined;
}

/** Looks at a variant in one language. */
export function variantView(row: ProductVariantRow, { language, version }: ItemScope): VariantView {
  return { ...row, language, version, content: row.contents[language] };
}

/** Parts that a mutation's lists removed, by the output names of its intent. */
export const removedField = {
  type: GraphQLJson,
  description:
    "In the answer to an update, the entries it removed because its lists omitted them; otherwise null.",
};

const variantInput = payloads["product/variant/create"];

export const ProductVariant: GraphQLObjectType<VariantView, CoreContext> = new GraphQLObjectType({
  name: "ProductVariant",
  fields: () => {
    const fields = derivedTypes.fields(variantInput, "ProductVariant");
    return {
      ...fields,
      isDefault: { type: boolean },
      name: { type: GraphQLString, resolve: ({ content }) => content?.name },
      displayName: displayName<VariantView>(({ content }) => content?.name, nameInOther),
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
          entryOfFirst(priceVariants, tenant.settings.priceVariants)?.price,
      },
      stock: {
        type: GraphQLFloat,
        description: "The stock at the tenant's first stock location.",
        resolve: ({ stockLocations }: VariantView, _: object, { tenant }: CoreContext) =>
          entryOfFirst(stockLocations, tenant.settings.stockLocations)?.stock,
      },
      createdAt: { type: time },
      updatedAt: { type: time },
      lastChange: lastChangeField(({ id, updatedAt }: VariantView) => ({
        at: updatedAt,
        rows: [{ table: productVariants.table, key: [id] }],
      })),
      removed: removedField,
    };
  },
});

function nameInOther({ contents }: VariantView, languages: readonly string[]) {
  for (const language of languages) {
    const name = contents[language]?.name;
    if (name) return { language, name };
  }
  return null;
}

interface Identified {
  identifier: string;
}

async function variantDefinitions({ productId }: VariantView, loaders: Loaders) {
  const identifier = await loaders.shapeIdentifier(productId);
  return (identifier && (await loaders.shape(identifier))?.variantComponents) || [];
}

const ofPrice = (name: "name" | "currency") => ({
  type: GraphQLString,
  resolve: ({ identifier }: Identified, _: object, { tenant }: CoreContext) =>
    priceVariantFacts(tenant.settings, identifier)[name],
});
const priceSettings = () => ({ name: ofPrice("name"), currency: ofPrice("currency") });

/** Fields of prices and stocks that are read from the tenant's settings. */
export const variantFields: FieldsById = {
  PriceVariantPrice: priceSettings,
  VariantPlanPrice: priceSettings,
  StockLocationStock: () => ({
    name: {
      type: GraphQLString,
      resolve: ({ identifier }: Identified, _: object, { tenant }: CoreContext) =>
        stockLocationFacts(tenant.settings, identifier).name,
    },
    settings: {
      type: StockLocationSettings,
      description: "The rules for the stock at the location.",
      resolve: ({ identifier }: Identified, _: object, { tenant }: CoreContext) =>
        stockLocationFacts(tenant.settings, identifier).settings,
    },
  }),
};

const partOf = (list: "priceVariants" | "stockLocations") =>
  derivedTypes.object(inside(variantInput, list, "[]"));

export const ProductPriceVariant = partOf("priceVariants");

/** The stock of a variant at one location. */
export const ProductStockLocation = partOf("stockLocations");
