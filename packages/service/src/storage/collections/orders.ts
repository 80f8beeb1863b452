import type { Payload } from "@lading/schema";
import { defineCollection } from "../unit-of-work/collection.ts";

type OrderInput = Payload<"order/register">;
type Stored<Name extends keyof OrderInput> = NonNullable<OrderInput[Name]>;

export interface OrderRow {
  id: string;
  resourceIdentifier: string | null;
  customerIdentifier: string;
  customer: Stored<"customer">;
  cart: Stored<"cart">;
  total: Stored<"total"> | null;
  payment: Stored<"payment">;
  pipelines: Stored<"pipelines">;
  meta: Stored<"meta">;
  additionalInformation: string | null;
  appliedPromotions: Stored<"appliedPromotions">;
  paymentStatus: Stored<"paymentStatus"> | null;
  relatedOrderIds: string[];
  type: Stored<"type"> | null;
  stockLocationIdentifier: string | null;
  createdAt: string;
  updatedAt: string;
}

export const orders = defineCollection<OrderRow>()({
  table: "orders",
  columns: {
    id: "text",
    resourceIdentifier: "text",
    customerIdentifier: "text",
    customer: "json",
    cart: "json",
    total: "json",
    payment: "json",
    pipelines: "json",
    meta: "jsonb",
    additionalInformation: "text",
    appliedPromotions: "json",
    paymentStatus: "text",
    relatedOrderIds: "json",
    type: "text",
    stockLocationIdentifier: "text",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["id"],
  indexes: { resourceIdentifier: ["resourceIdentifier"] },
  unique: ["resourceIdentifier"],
});
