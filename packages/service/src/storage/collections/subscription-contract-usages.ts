import { defineCollection } from "../unit-of-work/collection.ts";

export interface SubscriptionContractUsageRow {
  id: string;
  contractId: string;
  meteredVariableIdentifier: string;
  quantity: number;
  description: string | null;
  idempotencyKey: string | null;
  createdAt: string;
}

export const subscriptionContractUsages = defineCollection<SubscriptionContractUsageRow>()({
  table: "subscription_contract_usages",
  columns: {
    id: "text",
    contractId: "text",
    meteredVariableIdentifier: "text",
    quantity: "float8",
    description: "text",
    idempotencyKey: "text",
    createdAt: "timestamptz",
  },
  key: ["id"],
  indexes: { idempotencyKey: ["idempotencyKey"], contract: ["contractId"] },
  isPart: true,
  unique: ["idempotencyKey"],
});
