import type { Removed } from "../domain/variant/removals.ts";
import type { Fact } from "./success-message.ts";

/** States what an operation took out of lists, because the operation's own lists did not have it. */
export const removedParts: Fact = (output) => {
  const removed = output.removed as Removed | undefined;
  if (removed === undefined) return undefined;
  const named = [
    ...(removed.variants ?? []).map(({ sku }) => `variant "${sku}"`),
    ...(removed.selections ?? []).map(({ sku, priceList }) => `"${sku}" from price list "${priceList}"`),
    ...(removed.stockLocations ?? []).map(
      ({ sku, identifier, stock }) => `stock of "${sku}" at "${identifier}" (${stock})`,
    ),
    ...(removed.priceVariants ?? []).map(
      ({ sku, identifier, price }) => `price of "${sku}" in "${identifier}" (${price})`,
    ),
    ...(removed.subscriptionPlans ?? []).map(({ sku, identifier }) => `plan "${identifier}" of "${sku}"`),
    ...(removed.more === undefined ? [] : [`${removed.more} more`]),
  ];
  return `removed ${named.join(", ")}`;
};
