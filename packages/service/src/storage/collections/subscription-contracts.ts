import type { Payload } from "@lading/schema";
import { defineCollection } from "../unit-of-work/collection.ts";

type ContractInput = Payload<"subscription-contract/create">;
type Stored<Name extends keyof ContractInput> = NonNullable<ContractInput[Name]>;

export interface SubscriptionContractRow {
  id: string;
  resourceIdentifier: string | null;
  customerIdentifier: string;
  /** A copy from `subscriptionPlan`, for conditions. */
  planIdentifier: string;
  subscriptionPlan: Stored<"subscriptionPlan">;
  /** A copy from `item`, for conditions. */
  sku: string;
  item: Stored<"item">;
  initial: Stored<"initial"> | null;
  recurring: Stored<"recurring">;
  /** When a pending contract begins; an active one has the other two dates instead. */
  activateAt: string | null;
  activeUntil: string | null;
  renewAt: string | null;
  /** A state that overrides the dates; null for a cancelled contract. */
  halted: "paused" | "cancelled" | null;
  /** True once it was renewed, which ends its initial phase. */
  renewed: boolean;
  signedAt: string | null;
  payment: Stored<"payment"> | null;
  addresses: Stored<"addresses">;
  meta: Stored<"meta">;
  createdAt: string;
  updatedAt: string;
}

export const subscriptionContracts = defineCollection<SubscriptionContractRow>()({
  table: "subscription_contracts",
  columns: {
    id: "text",
    resourceIdentifier: "text",
    customerIdentifier: "text",
    planIdentifier: "text",
    subscriptionPlan: "json",
    sku: "text",
    item: "json",
    initial: "json",
    recurring: "json",
    activateAt: "timestamptz",
    activeUntil: "timestamptz",
    renewAt: "timestamptz",
    halted: "text",
    renewed: "boolean",
    signedAt: "timestamptz",
    payment: "json",
    addresses: "json",
    meta: "jsonb",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["id"],
  indexes: { resourceIdentifier: ["resourceIdentifier"] },
  unique: ["resourceIdentifier"],
  internal: ["planIdentifier", "sku"],
});
