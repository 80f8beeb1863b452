import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";

const modifier = part((s) =>
  z
    .object({ decimalPlaces: s.number.nullish(), identifier: s.filledText, modifier: s.number })
    .meta({ id: "PriceListModifier" }),
);

const selectedVariant = part((s) =>
  z
    .object({ sku: s.filledText, priceVariants: z.array(modifier(s)).nullish() })
    .meta({ id: "PriceListProductVariant" }),
);

const selection = part((s) =>
  z
    .object({
      type: s.oneOf(["ALL_SKUS", "SOME_SKUS"]),
      variants: z.array(selectedVariant(s)).nullish(),
    })
    .meta({ id: "PriceListSelection" }),
);

const audience = part((s) =>
  z
    .object({
      type: s.oneOf(["EVERYONE", "SOME"]),
      customerGroupIdentifiers: z.array(s.filledText).nullish(),
      customerIdentifiers: z.array(s.filledText).nullish(),
      marketIdentifiers: z.array(s.filledText).nullish(),
    })
    .meta({ id: "PriceListAudience" }),
);

/** Also for an upsert: the identifier says whether the price list exists. */
const createPriceList = part((s) =>
  z.object({
    identifier: s.filledText,
    name: s.filledName,
    modifierType: s.oneOf(["ABSOLUTE", "PERCENTAGE", "RELATIVE"]),
    priceVariants: z.array(modifier(s)).min(1),
    selectedProductVariants: selection(s),
    targetAudience: audience(s),
    startDate: s.dateTime.nullish(),
    endDate: s.dateTime.nullish(),
  }),
);

/** Absent fields stay unchanged. */
const updatePriceList = part((s) => createPriceList(s).partial().extend({ identifier: s.filledText }));

/** Variants to add to the selection of a price list, or to change in it. */
const upsertSelectedVariants = part((s) =>
  z.object({ identifier: s.filledText, variants: z.array(selectedVariant(s)) }),
);

/** Variants to take out of the selection of a price list, by SKU. */
const removeSelectedVariants = part((s) =>
  z.object({ identifier: s.filledText, skus: z.array(s.filledText) }),
);

/** The intents of price lists. */
export const priceListIntents = {
  "pricelist/create": {
    payload: createPriceList,
    about: "Creates a price list",
    subject: "price list",
    result: ["identifier"],
  },
  "pricelist/update": {
    payload: updatePriceList,
    about: "Updates a price list",
    subject: "price list",
    result: ["name", "identifier", "modifierType"],
  },
  "pricelist/upsert": {
    payload: createPriceList,
    about: "Creates or updates a price list",
    subject: "price list",
    actsAs: ["pricelist/create", "pricelist/update"],
  },
  "pricelist/selectedProductVariants/upsert": {
    payload: upsertSelectedVariants,
    about: "Adds variants to a price list, or updates their prices in it",
    subject: "selected variants of price list",
    result: ["identifier"],
  },
  "pricelist/selectedProductVariants/remove": {
    payload: removeSelectedVariants,
    about: "Removes variants from a price list",
    subject: "selected variants of price list",
    result: ["identifier"],
  },
} as const satisfies IntentRows;
