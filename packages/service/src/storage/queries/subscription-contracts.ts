import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../collections/subscription-contracts.ts";
import type { Queries } from "../database.ts";
import { conditionList, listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

export const contractStates = [
  "active",
  "paused",
  "cancelled",
  "pendingActivation",
  "pendingDeactivation",
] as const;
export type ContractState = (typeof contractStates)[number];

/** The key of a contract; of two keys the first one counts. */
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

/** A customer's contracts, such as `the subscription contract 0123456789abcdef01234567`: at most `most`. */
export async function contractsOfCustomer(
  unit: UnitOfWork,
  customerIdentifier: string,
  most: number,
): Promise<string[]> {
  const contracts = await unit.ask<{ id: string }>(
    `SELECT id FROM subscription_contracts t WHERE t.tenant_id = $1 AND t.customer_identifier = $2
     ORDER BY id LIMIT $3`,
    [customerIdentifier, most],
  );
  return contracts.map(({ id }) => `the subscription contract ${id}`);
}

/** A contract's state as an SQL expression; the same as `contractState`. */
const stateOf = `CASE
    WHEN t.halted IS NOT NULL THEN t.halted
    WHEN t.activate_at > now() THEN 'pendingActivation'
    WHEN t.active_until IS NULL OR t.renew_at IS NOT NULL THEN 'active'
    WHEN t.active_until > now() THEN 'pendingDeactivation'
    ELSE 'cancelled'
  END`;

const select = `SELECT ${subscriptionContracts.sql.columnList} FROM ${subscriptionContracts.table} t`;

export async function findSubscriptionContract(
  queries: Queries,
  tenantId: string,
  { id, resourceIdentifier }: ContractIdentity,
): Promise<SubscriptionContractRow | undefined> {
  const [condition, value] = id ? ["t.id = $2", id] : ["t.resource_identifier = $2", resourceIdentifier];
  const [contract] = await queries.query<SubscriptionContractRow>(
    `${select} WHERE t.tenant_id = $1 AND ${condition}`,
    [tenantId, value ?? null],
  );
  return contract;
}

/** The tenant's contracts, newest first. */
export function listSubscriptionContracts(
  queries: Queries,
  tenantId: string,
  filter: ContractFilter,
  request: PageRequest,
): Promise<Page<SubscriptionContractRow>> {
  const list = {
    select,
    ...conditionList([
      ["t.customer_identifier = ?", filter.customerIdentifier],
      [`(${stateOf}) = ?`, filter.state],
      ["t.sku = ?", filter.sku],
      ["t.plan_identifier = ?", filter.subscriptionPlanIdentifier],
    ]),
    order: ["t.id"],
    keyOf: (row: SubscriptionContractRow) => [row.id],
    descending: true,
  };
  return listRows(queries, tenantId, list, request);
}
