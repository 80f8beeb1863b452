import { z } from "zod";
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
export const createPriceList = part((s) =>
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
export const updatePriceList = part((s) => createPriceList(s).partial().extend({ identifier: s.filledText }));

/** Variants to add to the selection of a price list, or to change in it. */
export const upsertSelectedVariants = part((s) =>
  z.object({ identifier: s.filledText, variants: z.array(selectedVariant(s)) }),
);

/** Variants to take out of the selection of a price list, by SKU. */
export const removeSelectedVariants = part((s) =>
  z.object({ identifier: s.filledText, skus: z.array(s.filledText) }),
);
