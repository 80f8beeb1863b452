import { payloads } from "@lading/schema";
import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { PriceListRow } from "../../storage/collections/price-lists.ts";
import { findPriceList, listPriceLists } from "../../storage/queries/price-lists.ts";
import type { CoreContext } from "../context.ts";
import { stored } from "../derive/output-types.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { outcomeField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "./connection.ts";
import { outcome } from "./errors.ts";

const text = new GraphQLNonNull(GraphQLString);
const time = new GraphQLNonNull(GraphQLDateTime);

const fields = () => stored.fields(payloads["pricelist/create"], "PriceList");

export const PriceList = new GraphQLObjectType<PriceListRow, CoreContext>({
  name: "PriceList",
  fields: () => ({
    ...fields(),
    selectedProductVariants: {
      ...fields().selectedProductVariants!,
      description: "The variants in the order of their SKUs.",
      resolve: async ({ identifier, selectionType }, _given, { loaders }) => ({
        type: selectionType,
        variants: (await loaders.selectedVariants(identifier)) ?? [],
      }),
    },
    createdAt: { type: time },
    updatedAt: { type: time },
  }),
});

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
  priceList: outcomeField<{ identifier: string }>({
    type: outcome("PriceListResult", [PriceList]),
    description: "A price list.",
    args: { identifier: { type: text } },
    resolve: ({ identifier }, context) => readPriceList(context, identifier),
  }),
  priceLists: outcomeField<PageArguments>({
    type: outcome("PriceListsResult", [connection(PriceList)]),
    description: "The tenant's price lists in the order of their identifiers.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listPriceLists(services.database, tenant.id, pageRequest(given)),
      after: given.after,
    }),
  }),
};
