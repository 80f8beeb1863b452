import { z } from "zod";
import { componentContent } from "../components/component.ts";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { image, video } from "./media.ts";
import { tierTypes } from "./price-terms.ts";

const attribute = part((s) =>
  z
    .object({
      attribute: s.field("Name of the attribute, such as `color`", s.text),
      value: s.field("Value of the attribute in this language", s.text),
    })
    .meta({ id: "ProductVariantAttribute" }),
);

const priceTier = part((s) =>
  z
    .object({
      threshold: s.field("Quantity from which the price applies", s.number),
      price: s.field("Price of one from this quantity on", s.price),
    })
    .meta({ id: "PriceTier" }),
);

const tierFields = part((s) => ({
  tierType: s.field("How the tiers apply to a quantity", s.oneOf(tierTypes).nullish()),
  tiers: s.field("Prices by quantity; null removes them", z.array(priceTier(s)).nullish()),
}));

const price = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the price variant, such as `default`", s.text),
      price: s.field("The price, in the currency of the price variant", s.price),
      ...tierFields(s),
    })
    .meta({ id: "PriceVariantPrice" }),
);

const planPrice = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the price variant, such as `default`", s.text),
      price: s.field("The price, in the currency of the price variant", s.price),
    })
    .meta({ id: "VariantPlanPrice" }),
);

const stockMeta = part((s) =>
  z
    .object({ key: s.field("The key", s.text), value: s.field("The value", s.text) })
    .meta({ id: "StockLocationMeta" }),
);

const stock = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the stock location, such as `default`", s.text),
      stock: s.field("How many are in stock there", s.number),
      meta: s.field("Keys and values of your own", z.array(stockMeta(s)).nullish()),
    })
    .meta({ id: "StockLocationStock" }),
);

const meteredTier = part((s) =>
  z
    .object({
      price: s.field("Price of one unit from this usage on", s.price),
      threshold: s.field("Usage from which the price applies", s.number),
      priceVariants: s.field("Prices of the tier, by price variant", z.array(planPrice(s))),
    })
    .meta({ id: "VariantPlanTier" }),
);

const meteredVariable = part((s) =>
  z
    .object({
      id: s.field("Id of the metered variable of the plan", s.id),
      tierType: s.field("How the tiers apply to the usage", s.oneOf(tierTypes)),
      tiers: s.field("Prices by usage", z.array(meteredTier(s))),
    })
    .meta({ id: "VariantPlanMeteredVariable" }),
);

const planPhase = part((s) =>
  z
    .object({
      meteredVariables: s.field("Prices of what is used in the phase", z.array(meteredVariable(s))),
      priceVariants: s.field("Prices of a period in the phase, by price variant", z.array(planPrice(s))),
    })
    .meta({ id: "VariantPlanPhase" }),
);

const planPeriod = part((s) =>
  z
    .object({
      id: s.field("Id of the period of the plan", s.id),
      initial: s.field("Prices of the first period, if they differ", planPhase(s).nullish()),
      recurring: s.field("Prices of every other period", planPhase(s)),
    })
    .meta({ id: "VariantPlanPeriod" }),
);

const plan = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the subscription plan", s.text),
      periods: s.field("Prices by period of the plan", z.array(planPeriod(s))),
    })
    .meta({ id: "VariantPlan" }),
);

const variantFields = part((s) => ({
  sku: s.field("SKU of the variant, unique in the tenant", s.sku),
  externalReference: s.field("Your key of the variant in another system", s.key.nullish()),
  components: s.field(
    "Content of the variant in this language; a list replaces the stored one",
    z.array(componentContent(s)).nullish(),
  ),
  attributes: s.field(
    "What sets the variant apart from the others, in this language",
    z.array(attribute(s)).nullish(),
  ),
  isDefault: s.field("True for the product's default variant", s.boolean.nullish()),
  name: s.field("Name of the variant in this language", s.name),
  images: s.field("Images of the variant; a list replaces the stored one", z.array(image(s)).nullish()),
  videos: s.field("Videos of the variant; a list replaces the stored one", z.array(video(s)).nullish()),
  priceVariants: s.field(
    "Prices by price variant; one that is not listed is removed",
    z.array(price(s)).nullish(),
  ),
  stockLocations: s.field(
    "Stock by location; a location that is not listed is removed",
    z.array(stock(s)).nullish(),
  ),
  subscriptionPlans: s.field(
    "Prices by subscription plan; a plan that is not listed is removed",
    z.array(plan(s)).nullish(),
  ),
}));

/** A product's variant, as a product payload lists it. */
export const variant = part((s) => z.object(variantFields(s)).meta({ id: "ProductVariant" }));

/** Also for an upsert: the SKU says whether the variant exists. */
const createVariant = part((s) =>
  z.object({
    ...variantFields(s),
    language: s.field("Language of the name and the content, such as `en`", s.filledText),
    productId: s.field("Id of the product that the variant belongs to", s.id),
  }),
);

/** The variant is found by its SKU, so that cannot be changed. */
const updateVariant = part((s) =>
  z
    .object(variantFields(s))
    .partial()
    .extend({
      language: s.field("Language to update, such as `en`", s.filledText),
      sku: s.field("SKU of the variant to update", s.filledText),
    }),
);

/** A SKU is unique in a tenant, so no product is named. */
const deleteVariant = part((s) => z.object({ sku: s.field("SKU of the variant to delete", s.filledText) }));

/** Increases or decreases the stock by a positive whole number, or overwrites it with one or with 0. */
const modifyStock = part((s) =>
  z.object({
    operation: s.field(
      "What to do with the stock",
      s.oneOf({
        decrease: "subtracts the quantity",
        increase: "adds the quantity",
        overwrite: "sets the stock to the quantity",
      }),
    ),
    quantity: s.field("How many to add, to subtract or to set", s.integerFrom(0)),
    sku: s.field("SKU of the variant", s.filledText),
    stockLocationIdentifier: s.field("Identifier of the stock location, such as `default`", s.filledText),
  }),
);

/** One price of one variant: any valid price, 0 included. Absent tiers are kept. */
const modifyPrice = part((s) =>
  z.object({
    sku: s.field("SKU of the variant", s.filledText),
    priceVariantIdentifier: s.field("Identifier of the price variant, such as `default`", s.filledText),
    price: s.field("The new price, in the currency of the price variant", s.price),
    ...tierFields(s),
  }),
);

export const variantIntents = {
  "product/variant/create": {
    payload: createVariant,
    about: "Adds a variant to a product",
    subject: "product variant",
    result: ["sku"],
  },
  "product/variant/update": {
    payload: updateVariant,
    about: "Updates the variant with this SKU",
    subject: "product variant",
    result: ["sku"],
  },
  "product/variant/upsert": {
    payload: createVariant,
    about: "Adds or updates a variant of a product",
    subject: "product variant",
    actsAs: ["product/variant/create", "product/variant/update"],
  },
  "product/variant/delete": {
    payload: deleteVariant,
    about: "Deletes the variant with this SKU",
    subject: "product variant",
    result: ["sku"],
  },
  "product/variant/stock/modify": {
    payload: modifyStock,
    about: "Increases, decreases or overwrites the stock of a variant at one location",
    subject: "stock of product variant",
    result: ["id", "sku"],
  },
  "product/variant/price/modify": {
    payload: modifyPrice,
    about: "Sets one price of a variant",
    subject: "price of product variant",
    result: ["id", "sku"],
  },
} as const satisfies IntentRows;
