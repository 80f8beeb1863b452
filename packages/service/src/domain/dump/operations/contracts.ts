import { subscriptionContractUsages } from "../../../storage/collections/subscription-contract-usages.ts";
import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../../../storage/collections/subscription-contracts.ts";
import { variantsBySku } from "../../../storage/queries/product-variants.ts";
import { skusOf } from "../../subscription-contract/references.ts";
import type { DumpedTenant, ReadKind } from "../dumped-tenant.ts";
import { identified, type Operation, operation } from "../operation.ts";
import { identifiedPages, pagesOf } from "../pages.ts";

/** Reads subscription contracts. */
export const readContracts: ReadKind = async function* (dumped) {
  for await (const rows of identifiedPages(dumped, subscriptionContracts)) {
    await noteGoneSkus(dumped, rows);
    yield rows.map((row) => contractOperation(row, dumped));
  }
  for await (const rows of pagesOf(dumped, subscriptionContractUsages))
    for (const { contractId } of rows) dumped.omissions.add("a usage of a contract", contractId);
};

/** Records contracts for deleted SKUs: they can be changed, but not created. */
async function noteGoneSkus(
  { tenant, page, omissions }: DumpedTenant,
  rows: readonly SubscriptionContractRow[],
): Promise<void> {
  const skus = new Set(rows.flatMap(skusOf).map(([sku]) => sku));
  const found = await page((queries) => variantsBySku(queries, tenant.id, [...skus]));
  for (const row of rows)
    if (skusOf(row).some(([sku]) => !found.has(sku)))
      omissions.add("a contract for a deleted SKU, which cannot be created", row.id);
}

function contractOperation(row: SubscriptionContractRow, { omissions }: DumpedTenant): Operation {
  const { activateAt, activeUntil, renewAt, halted, renewed, planIdentifier, sku, ...fields } = row;
  const { createdAt, updatedAt, ...written } = fields;
  if (halted !== null) omissions.add(`the state of a contract that is ${halted}`, row.id);
  if (renewed) omissions.add("the renewal of a contract", row.id);
  return operation("subscription-contract/upsert", {
    ...identified(written),
    status: { activateAt, activeUntil, renewAt },
  });
}
