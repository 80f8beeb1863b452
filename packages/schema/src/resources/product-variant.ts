import { z } from "zod";
import { componentContent } from "../components/component.ts";
import { part } from "../scalars.ts";
import { image, video } from "./media.ts";

const attribute = part((s) =>
  z.object({ attribute: s.text, value: s.text }).meta({ id: "ProductVariantAttribute" }),
);

const price = part((s) =>
  z.object({ identifier: s.text, price: s.number }).meta({ id: "PriceVariantPrice" }),
);

const stockMeta = part((s) => z.object({ key: s.text, value: s.text }).meta({ id: "StockLocationMeta" }));

const stock = part((s) =>
  z
    .object({ identifier: s.text, stock: s.number, meta: z.array(stockMeta(s)).nullish() })
    .meta({ id: "StockLocationStock" }),
);

const meteredTier = part((s) =>
  z
    .object({ price: s.number, threshold: s.number, priceVariants: z.array(price(s)) })
    .meta({ id: "VariantPlanTier" }),
);

const meteredVariable = part((s) =>
  z
    .object({ id: s.id, tierType: s.oneOf(["graduated", "volume"]), tiers: z.array(meteredTier(s)) })
    .meta({ id: "VariantPlanMeteredVariable" }),
);

const planPhase = part((s) =>
  z
    .object({ meteredVariables: z.array(meteredVariable(s)), priceVariants: z.array(price(s)) })
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
  sku: s.text,
  externalReference: s.text.nullish(),
  components: z.array(componentContent(s)).nullish(),
  attributes: z.array(attribute(s)).nullish(),
  isDefault: s.boolean.nullish(),
  name: s.text,
  images: z.array(image(s)).nullish(),
  videos: z.array(video(s)).nullish(),
  priceVariants: z.array(price(s)).nullish(),
  stockLocations: z.array(stock(s)).nullish(),
  subscriptionPlans: z.array(plan(s)).nullish(),
}));

/** A variant of a product, as a product payload lists it. */
export const variant = part((s) => z.object(variantFields(s)).meta({ id: "ProductVariant" }));

/** Also for an upsert: the SKU says whether the variant exists. */
export const createVariant = part((s) =>
  z.object({ ...variantFields(s), language: s.filledText, productId: s.id }),
);

/** The variant is found by its SKU, which therefore cannot be changed, nor can its being the default. */
export const updateVariant = part((s) => {
  const { isDefault: _, ...fields } = variantFields(s);
  return z.object(fields).partial().extend({ language: s.filledText, sku: s.filledText });
});

/** A SKU is unique in a tenant, so no product is named. */
export const deleteVariant = part((s) => z.object({ sku: s.filledText }));

/** To decrease, to increase or to overwrite the stock by a positive whole number. */
export const modifyStock = part((s) =>
  z.object({
    operation: s.oneOf(["decrease", "increase", "overwrite"]),
    quantity: s.integerFrom(1),
    sku: s.filledText,
    stockLocationIdentifier: s.filledText,
  }),
);

/** One price of one variant: any that a variant may have, also nothing. */
export const modifyPrice = part((s) =>
  z.object({ sku: s.filledText, priceVariantIdentifier: s.filledText, price: s.number }),
);
