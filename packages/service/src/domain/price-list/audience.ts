import type { Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { customerGroups } from "../../storage/collections/customer-groups.ts";
import { customers } from "../../storage/collections/customers.ts";
import type { PriceListRow } from "../../storage/collections/price-lists.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { CommandContext } from "../command.ts";
import { requireMarket } from "../settings/require.ts";

type Audience = PriceListRow["targetAudience"];
export type AudienceInput = { type: Audience["type"] } & {
  [List in Exclude<keyof Audience, "type">]?: Audience[List] | null | undefined;
};

/** Declares the customers and groups a price list is for. */
export function prefetchAudience(audience: Written<AudienceInput> | undefined, prefetch: Prefetch): void {
  for (const identifier of audience?.customerIdentifiers ?? []) prefetch(customers, "key", [identifier]);
  for (const identifier of audience?.customerGroupIdentifiers ?? [])
    prefetch(customerGroups, "key", [identifier]);
}

/** The audience to store, with all its lists. Rejects unknown customers, groups and markets. */
export async function requireAudience(
  { unit, tenant }: Pick<CommandContext, "unit" | "tenant">,
  input: AudienceInput,
): Promise<Audience> {
  const audience = {
    type: input.type,
    customerGroupIdentifiers: input.customerGroupIdentifiers ?? [],
    customerIdentifiers: input.customerIdentifiers ?? [],
    marketIdentifiers: input.marketIdentifiers ?? [],
  };
  const fieldPath = (field: keyof Audience, i: number) => ["targetAudience", field, i];
  for (const [i, name] of audience.customerIdentifiers.entries())
    if ((await unit.get(customers, name)) === undefined)
      reject("CustomerNotFoundError", `There is no customer "${name}"`, fieldPath("customerIdentifiers", i));
  for (const [i, name] of audience.customerGroupIdentifiers.entries())
    if ((await unit.get(customerGroups, name)) === undefined)
      reject(
        "CustomerGroupNotFoundError",
        `There is no customer group "${name}"`,
        fieldPath("customerGroupIdentifiers", i),
      );
  for (const [i, name] of audience.marketIdentifiers.entries())
    requireMarket(tenant, name, fieldPath("marketIdentifiers", i));
  return audience;
}
