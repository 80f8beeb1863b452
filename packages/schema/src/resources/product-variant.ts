import { z } from "zod";
import { componentContent } from "../components/component.ts";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { image, video } from "./media.ts";

const attribute = part((s) =>
  z.object({ attribute: s.text, value: s.text }).meta({ id: "ProductVariantAttribute" }),
);

const priceTier = part((s) => z.object({ threshold: s.number, price: s.price }).meta({ id: "PriceTier" }));

const tierFields = part((s) => ({
  tierType: s.oneOf(["graduated", "volume"]).nullish(),
  tiers: z.array(priceTier(s)).nullish(),
}));

const price = part((s) =>
  z.object({ identifier: s.text, price: s.price, ...tierFields(s) }).meta({ id: "PriceVariantPrice" }),
);

const planPrice = part((s) =>
  z.object({ identifier: s.text, price: s.price }).meta({ id: "VariantPlanPrice" }),
);

const stockMeta = part((s) => z.object({ key: s.text, value: s.text }).meta({ id: "StockLocationMeta" }));

const stock = part((s) =>
  z
    .object({ identifier: s.text, stock: s.number, meta: z.array(stockMeta(s)).nullish() })
    .meta({ id: "StockLocationStock" }),
);

const meteredTier = part((s) =>
  z
    .object({ price: s.price, threshold: s.number, priceVariants: z.array(planPrice(s)) })
    .meta({ id: "VariantPlanTier" }),
);

const meteredVariable = part((s) =>
  z
    .object({ id: s.id, tierType: s.oneOf(["graduated", "volume"]), tiers: z.array(meteredTier(s)) })
    .meta({ id: "VariantPlanMeteredVariable" }),
);

const planPhase = part((s) =>
  z
    .object({ meteredVariables: z.array(meteredVariable(s)), priceVariants: z.array(planPrice(s)) })
    .meta({ id: "VariantPlanPhase" }),
);

const planPeriod = part((s) =>
  z
    .object({ id: s.id, initial: planPhase(s).nullish(), recurring: planPhase(s) })
    .meta({ id: "VariantPlanPeriod" }),
);

const plan = part((s) =>
  z.object({ identifier: s.text, periods: z.array(planPeriod(s)) }).meta({ id: "VariantPlan" }),
);

const variantFields = part((s) => ({
  sku: s.sku,
  externalReference: s.key.nullish(),
  components: z.array(componentContent(s)).nullish(),
  attributes: z.array(attribute(s)).nullish(),
  isDefault: s.boolean.nullish(),
  name: s.name,
  images: z.array(image(s)).nullish(),
  videos: z.array(video(s)).nullish(),
  priceVariants: z.array(price(s)).nullish(),
  stockLocations: z.array(stock(s)).nullish(),
  subscriptionPlans: z.array(plan(s)).nullish(),
}));

/** A variant of a product, as a product payload lists it. */
export const variant = part((s) => z.object(variantFields(s)).meta({ id: "ProductVariant" }));

/** Also for an upsert: the SKU says whether the variant exists. */
const createVariant = part((s) => z.object({ ...variantFields(s), language: s.filledText, productId: s.id }));

/** The variant is found by its SKU, which therefore cannot be changed. */
const updateVariant = part((s) =>
  z.object(variantFields(s)).partial().extend({ language: s.filledText, sku: s.filledText }),
);

/** A SKU is unique in a tenant, so no product is named. */
const deleteVariant = part((s) => z.object({ sku: s.filledText }));

/** Increases or decreases the stock by a positive whole number, or overwrites it with one or with 0. */
const modifyStock = part((s) =>
  z.object({
    operation: s.oneOf(["decrease", "increase", "overwrite"]),
    quantity: s.integerFrom(0),
    sku: s.filledText,
    stockLocationIdentifier: s.filledText,
  }),
);

/** One price of one variant: any that a variant may have, 0 included. Tiers that are absent are kept. */
const modifyPrice = part((s) =>
  z.object({
    ...{ sku: s.filledText, priceVariantIdentifier: s.filledText, price: s.price },
    ...tierFields(s),
  }),
);

/** The intents of product variants. */
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
    subject: "stock of a variant of product",
    result: ["id"],
  },
  "product/variant/price/modify": {
    payload: modifyPrice,
    about: "Sets one price of a variant",
    subject: "price of product variant",
    result: ["id", "sku"],
  },
} as const satisfies IntentRows;
