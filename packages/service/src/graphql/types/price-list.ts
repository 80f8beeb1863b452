import { payloads } from "@lading/schema";
import { GraphQLObjectType } from "graphql";
import type { PriceListRow } from "../../storage/collections/price-lists.ts";
import type { CoreContext } from "../context.ts";
import { time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";

const fields = () => derivedTypes.fields(payloads["pricelist/create"], "PriceList");

export const PriceList = new GraphQLObjectType<PriceListRow, CoreContext>({
  name: "PriceList",
  fields: () => ({
    ...fields(),
    selectedProductVariants: {
      ...fields().selectedProductVariants!,
      description: "The variants, ordered by SKU.",
      resolve: async ({ identifier, selectionType }, _given, { loaders }) => ({
        type: selectionType,
        variants: (await loaders.selectedVariants(identifier)) ?? [],
      }),
    },
    createdAt: { type: time },
    updatedAt: { type: time },
  }),
});
