import type { Queries } from "../database.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

export interface MeteredUsage {
  meteredVariableIdentifier: string;
  quantity: number;
}

/** The time window of usage, ISO 8601 in UTC: start inclusive, end exclusive; null is unbounded. */
export interface UsageWindow {
  from: string | null;
  until: string | null;
}

/** The usage in a time window, by contract: sums of its metered variables, ordered by identifier. */
export async function usageOfContracts(
  queries: Queries,
  tenantId: string,
  { from, until }: UsageWindow,
  contractIds: readonly string[],
): Promise<Map<string, MeteredUsage[]>> {
  // Sums decimals, so that three times 0.1 is 0.3.
  const rows = await queries.query<MeteredUsage & { contractId: string }>(
    `SELECT contract_id AS "contractId", metered_variable_identifier AS "meteredVariableIdentifier",
       sum(quantity::numeric)::float8 AS quantity
     FROM subscription_contract_usages
     WHERE tenant_id = $1 AND contract_id = ANY($2::text[])
       AND created_at >= coalesce($3::timestamptz, '-infinity') AND created_at < coalesce($4::timestamptz, 'infinity')
     GROUP BY contract_id, metered_variable_identifier ORDER BY metered_variable_identifier COLLATE "C"`,
    [tenantId, contractIds, from, until],
  );
  return Map.groupBy(rows, ({ contractId }) => contractId);
}

/** True when a contract has more usages than `most`. */
export async function hasMoreUsages(unit: UnitOfWork, contractId: string, most: number): Promise<boolean> {
  const rows = await unit.ask(
    `SELECT FROM subscription_contract_usages t WHERE t.tenant_id = $1 AND t.contract_id = $2 OFFSET $3 LIMIT 1`,
    [contractId, most],
  );
  return rows.length > 0;
}
