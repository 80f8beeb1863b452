import type { Payload } from "@lading/schema";
import { defineCollection } from "../unit-of-work/collection.ts";

type PriceListInput = Payload<"pricelist/create">;
type Audience = PriceListInput["targetAudience"];

export interface PriceListRow {
  identifier: string;
  name: string;
  modifierType: PriceListInput["modifierType"];
  priceVariants: PriceListInput["priceVariants"];
  /** The variants it applies to: all of the tenant's, or those in `priceListVariants`. */
  selectionType: PriceListInput["selectedProductVariants"]["type"];
  targetAudience: { [Name in keyof Audience]-?: NonNullable<Audience[Name]> };
  startDate: string | null;
  endDate: string | null;
  createdAt: string;
  updatedAt: string;
}

export const priceLists = defineCollection<PriceListRow>()({
  table: "price_lists",
  columns: {
    identifier: "text",
    name: "text",
    modifierType: "text",
    priceVariants: "json",
    selectionType: "text",
    targetAudience: "json",
    startDate: "timestamptz",
    endDate: "timestamptz",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["identifier"],
  indexes: {},
});

export interface PriceListVariantRow {
  priceListIdentifier: string;
  sku: string;
  variantId: string;
  /** Its own modifiers in this list; if empty, the list's apply. */
  priceVariants: PriceListInput["priceVariants"];
}

export const priceListVariants = defineCollection<PriceListVariantRow>()({
  table: "price_list_variants",
  columns: { priceListIdentifier: "text", sku: "text", variantId: "text", priceVariants: "json" },
  key: ["priceListIdentifier", "sku"],
  indexes: { priceList: ["priceListIdentifier"], variant: ["variantId"] },
  isPart: true,
  internal: ["variantId"],
});
