import { derivedId } from "../../../storage/ids.ts";
import { skusWithPrefix } from "../../../storage/pages/moved-skus.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import { ItemNames } from "../natural/items.ts";

/** Finds, per product id, a SKU that no variant has and other products don't get. */
export type TemporarySkusOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const prefix = "temporary-";

/** Returns the function that finds temporary SKUs, derived from the products' ids or natural keys. */
export function temporarySkus(dumped: DumpedTenant): TemporarySkusOf {
  const { tenant, page, isNatural } = dumped;
  const names = new ItemNames(dumped);
  let taken: ReadonlySet<string> | undefined;
  return async (ids) => {
    if (ids.length === 0) return new Map();
    taken ??= new Set(await page((queries) => skusWithPrefix(queries, tenant.id, prefix)));
    const free = freeOf(taken);
    const named = isNatural ? await names.of(ids) : undefined;
    return new Map(ids.map((id) => [id, free(named?.get(id)?.token ?? id)]));
  };
}

const freeOf = (taken: ReadonlySet<string>) => (key: string) => {
  for (let number = 1; ; number++) {
    const sku = prefix + derivedId("temporary", key, String(number));
    if (!taken.has(sku)) return sku;
  }
};
