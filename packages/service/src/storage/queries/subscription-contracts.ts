import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../collections/subscription-contracts.ts";
import type { Queries } from "../database.ts";
import type { Page, PageRequest } from "../page.ts";
import { conditionList } from "./conditions.ts";
import { listRows } from "./list.ts";

export const contractStates = [
  "active",
  "paused",
  "cancelled",
  "pendingActivation",
  "pendingDeactivation",
] as const;
export type ContractState = (typeof contractStates)[number];

/** A contract and its state, now. */
export interface ContractView extends SubscriptionContractRow {
  state: ContractState;
}

/** How a contract is asked for; of two ways the first that is given counts. */
export interface ContractIdentity {
  id?: string | null;
  resourceIdentifier?: string | null;
}

export interface ContractFilter {
  customerIdentifier?: string | null;
  state?: ContractState | null;
  sku?: string | null;
  subscriptionPlanIdentifier?: string | null;
}

/** What was done to it, else what follows from its dates: without an end it goes on, with one and no renewal it ends. */
const stateOf = `CASE
    WHEN t.halted IS NOT NULL THEN t.halted
    WHEN t.activate_at > now() THEN 'pendingActivation'
    WHEN t.active_until IS NULL OR t.renew_at IS NOT NULL THEN 'active'
    WHEN t.active_until > now() THEN 'pendingDeactivation'
    ELSE 'cancelled'
  END`;

const select = `SELECT ${subscriptionContracts.sql.columnList}, ${stateOf} AS state
  FROM ${subscriptionContracts.table} t`;

/** The contract with this id or resource identifier. */
export async function findSubscriptionContract(
  queries: Queries,
  tenantId: string,
  { id, resourceIdentifier }: ContractIdentity,
): Promise<ContractView | undefined> {
  const [condition, value] = id ? ["t.id = $2", id] : ["t.resource_identifier = $2", resourceIdentifier];
  const [contract] = await queries.query<ContractView>(`${select} WHERE t.tenant_id = $1 AND ${condition}`, [
    tenantId,
    value ?? null,
  ]);
  return contract;
}

/** The tenant's contracts, newest first. */
export function listSubscriptionContracts(
  queries: Queries,
  tenantId: string,
  filter: ContractFilter,
  request: PageRequest,
): Promise<Page<ContractView>> {
  const list = {
    select,
    ...conditionList([
      ["t.customer_identifier = ?", filter.customerIdentifier],
      [`(${stateOf}) = ?`, filter.state],
      ["t.sku = ?", filter.sku],
      ["t.plan_identifier = ?", filter.subscriptionPlanIdentifier],
    ]),
    order: ["t.id"],
    keyOf: (row: ContractView) => [row.id],
    descending: true,
  };
  return listRows(queries, tenantId, list, request);
}
