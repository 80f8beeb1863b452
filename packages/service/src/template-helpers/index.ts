import { type Helper, type operationHelpers, TemplateSyntaxError, usesOf } from "@lading/schema/internal";
import type { Tenant } from "../storage/tenants/tenant.ts";
import type { Prefetch } from "../storage/unit-of-work/prefetch.ts";
import { type Fetcher, fetchEntity, type HelperContext, prefetchEntity } from "./fetcher.ts";
import {
  fetchCustomerByIdentifier,
  fetchCustomerGroupByIdentifier,
  fetchImageByResourceIdentifier,
  fetchOrderById,
  fetchPriceListByIdentifier,
  fetchSubscriptionContractById,
} from "./fetchers.ts";
import { idOf, prefetchIdOf, rowsInMemory } from "./id-of.ts";
import { fetchItemById, fetchItemByResourceIdentifier } from "./item.ts";
import { fetchProductVariantBySku } from "./product-variant.ts";
import { fetchTopicByResourceIdentifier } from "./topic.ts";

export type { HelperContext } from "./fetcher.ts";

type FetchHelperName = Extract<keyof typeof operationHelpers, `fetch${string}`>;

/** Every fetch helper of the schema package. The type requires all of them. */
const fetchers: Readonly<Record<FetchHelperName, Fetcher>> = {
  fetchItemById,
  fetchItemByResourceIdentifier,
  fetchProductVariantBySku,
  fetchTopicByResourceIdentifier,
  fetchImageByResourceIdentifier,
  fetchOrderById,
  fetchSubscriptionContractById,
  fetchCustomerByIdentifier,
  fetchCustomerGroupByIdentifier,
  fetchPriceListByIdentifier,
};

/** The fetch helpers over one unit of work: they see the writes of earlier operations, committed or not. */
export function fetchHelpers(context: HelperContext): Record<string, Helper> {
  const entries = Object.entries(fetchers).map(([name, fetcher]): [string, Helper] => [
    name,
    (args, hash) => fetchEntity(name, fetcher, context, { arguments: args, named: hash }),
  ]);
  return { ...Object.fromEntries(entries), idOf: (args, hash) => idOf(context, args, hash) };
}

/** The helpers that work with rows in memory, as if there were no others. */
export const helpersInMemory = ({ unit, tenant }: HelperContext): Record<string, Helper> => {
  const context = { unit: rowsInMemory(unit), tenant };
  return { idOf: (args, hash) => idOf(context, args, hash) };
};

/** True when a text may call a helper that reads rows. */
export const mayFetch = (text: string): boolean => text.includes("fetch") || text.includes("idOf");

/** Declares the rows that the fetch helpers in a template read, if their arguments are literals. */
export function prefetchFetched(template: string, tenant: Tenant, prefetch: Prefetch): void {
  if (!mayFetch(template)) return;
  for (const call of callsIn(template))
    if (call.name === "idOf") prefetchIdOf(call.arguments, tenant, prefetch);
    else if (isFetchHelper(call.name)) prefetchEntity(fetchers[call.name], tenant, call.arguments, prefetch);
}

const isFetchHelper = (name: string): name is FetchHelperName => Object.hasOwn(fetchers, name);

/** The helper calls in a template; none if it doesn't parse, since rendering will fail. */
function callsIn(template: string) {
  try {
    return usesOf(template).helpers;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return [];
    throw error;
  }
}
