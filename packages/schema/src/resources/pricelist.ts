import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";

const modifier = part((s) =>
  z
    .object({
      decimalPlaces: s.field("How many decimal places the price is rounded to", s.number.nullish()),
      identifier: s.field("Identifier of the price variant to change", s.filledText),
      modifier: s.field("The price, percentage or difference, as `modifierType` says", s.number),
    })
    .meta({ id: "PriceListModifier" }),
);

const selectedVariant = part((s) =>
  z
    .object({
      sku: s.field("SKU of the variant", s.filledText),
      priceVariants: s.field(
        "Changes for this variant; without any, those of the list apply",
        z.array(modifier(s)).nullish(),
      ),
    })
    .meta({ id: "PriceListProductVariant" }),
);

const selection = part((s) =>
  z
    .object({
      type: s.field(
        "Which variants the price list applies to",
        s.oneOf({ ALL_SKUS: "every variant", SOME_SKUS: "those in `variants`" }),
      ),
      variants: s.field(
        "The variants that the list applies to, or that have changes of their own",
        z.array(selectedVariant(s)).nullish(),
      ),
    })
    .meta({ id: "PriceListSelection" }),
);

const audience = part((s) =>
  z
    .object({
      type: s.field(
        "Who gets the prices",
        s.oneOf({ EVERYONE: "every customer", SOME: "those that the other fields name" }),
      ),
      customerGroupIdentifiers: s.field(
        "Identifiers of the customer groups that get the prices",
        z.array(s.filledText).nullish(),
      ),
      customerIdentifiers: s.field(
        "Identifiers of the customers that get the prices",
        z.array(s.filledText).nullish(),
      ),
      marketIdentifiers: s.field(
        "Identifiers of the markets that get the prices",
        z.array(s.filledText).nullish(),
      ),
    })
    .meta({ id: "PriceListAudience" }),
);

/** Also for an upsert: the identifier says whether the price list exists. */
const createPriceList = part((s) =>
  z.object({
    identifier: s.field("Identifier of the price list, by which an upsert finds it", s.filledKey),
    name: s.field("Name of the price list", s.filledName),
    modifierType: s.field(
      "How `modifier` changes a price",
      s.oneOf({
        ABSOLUTE: "is the new price",
        PERCENTAGE: "is a percentage of the price",
        RELATIVE: "is added to the price",
      }),
    ),
    priceVariants: s.field("Changes of prices, by price variant", z.array(modifier(s)).min(1)),
    selectedProductVariants: s.field("The variants that the price list applies to", selection(s)),
    targetAudience: s.field("The customers that the price list is for", audience(s)),
    startDate: s.field("When the prices begin to apply; without it, immediately", s.dateTime.nullish()),
    endDate: s.field("When the prices end; without it, never", s.dateTime.nullish()),
  }),
);

/** Absent fields stay unchanged. */
const updatePriceList = part((s) =>
  createPriceList(s)
    .partial()
    .extend({ identifier: s.field("Identifier of the price list to update", s.filledText) }),
);

const deletePriceList = part((s) =>
  z.object({ identifier: s.field("Identifier of the price list to delete", s.filledText) }),
);

/** Variants to add to a price list's selection, or to change in it. */
const upsertSelectedVariants = part((s) =>
  z.object({
    identifier: s.field("Identifier of the price list", s.filledText),
    variants: s.field("Variants to add to the price list, or to change in it", z.array(selectedVariant(s))),
  }),
);

/** Variants to remove from a price list's selection, by SKU. */
const removeSelectedVariants = part((s) =>
  z.object({
    identifier: s.field("Identifier of the price list", s.filledText),
    skus: s.field("SKUs of the variants to remove", z.array(s.filledText)),
  }),
);

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
  "pricelist/delete": {
    payload: deletePriceList,
    about: "Deletes a price list with its selection of variants",
    subject: "price list",
    ours: true,
    result: ["identifier"],
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
