import type { ComponentContent, Payload } from "@lading/schema/internal";
import { defineCollection } from "../unit-of-work/collection.ts";

type VariantInput = Payload<"product/variant/create">;
type ListOf<Name extends keyof VariantInput> = NonNullable<VariantInput[Name]>;

export interface VariantContent {
  name: string | null;
  attributes: ListOf<"attributes">;
  components: ComponentContent[];
}

export interface ProductVariantRow {
  id: string;
  productId: string;
  sku: string;
  position: number;
  isDefault: boolean;
  externalReference: string | null;
  images: ListOf<"images">;
  videos: ListOf<"videos">;
  priceVariants: ListOf<"priceVariants">;
  stockLocations: ListOf<"stockLocations">;
  subscriptionPlans: ListOf<"subscriptionPlans">;
  contents: Record<string, VariantContent>;
  createdAt: string;
  updatedAt: string;
}

export const productVariants = defineCollection<ProductVariantRow>()({
  table: "product_variants",
  columns: {
    id: "text",
    productId: "text",
    sku: "text",
    position: "int",
    isDefault: "boolean",
    externalReference: "text",
    images: "json",
    videos: "json",
    priceVariants: "json",
    stockLocations: "json",
    subscriptionPlans: "json",
    contents: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["id"],
  indexes: { sku: ["sku"], product: ["productId"] },
  isPart: true,
  unique: ["sku"],
});
