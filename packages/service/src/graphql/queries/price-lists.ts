import { reject } from "../../errors.ts";
import type { PriceListRow } from "../../storage/collections/price-lists.ts";
import { findPriceList, listPriceLists } from "../../storage/queries/price-lists.ts";
import type { CoreContext } from "../context.ts";
import { text } from "../derive/non-null.ts";
import { resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { PriceList } from "../types/price-list.ts";
import { resultUnion } from "../types/result-union.ts";

/** The price list with this identifier. Rejects with `PriceListNotFoundError`. */
export async function readPriceList(
  { services, tenant }: CoreContext,
  identifier: string,
): Promise<PriceListRow> {
  const list = await findPriceList(services.database, tenant.id, identifier);
  return (
    list ??
    reject("PriceListNotFoundError", `No price list has the identifier "${identifier}"`, ["identifier"])
  );
}

export const priceListQueries = {
  priceList: resultField<{ identifier: string }>({
    type: resultUnion("PriceListResult", [PriceList]),
    description: "A price list.",
    args: { identifier: { type: text } },
    resolve: ({ identifier }, context) => readPriceList(context, identifier),
  }),
  priceLists: resultField<PageArguments>({
    type: resultUnion("PriceListsResult", [connection(PriceList)]),
    description: "The tenant's price lists, ordered by identifier.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listPriceLists(services.database, tenant.id, pageRequest(given)),
      after: given.after,
    }),
  }),
};
