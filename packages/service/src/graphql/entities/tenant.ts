import { GraphQLFloat, GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { Tenant as TenantRow } from "../../tenants/tenant.ts";
import type { CoreContext } from "../context.ts";
import { plainField } from "../fields.ts";
import { listOf } from "../list-of.ts";

const id = new GraphQLNonNull(GraphQLID);
const text = new GraphQLNonNull(GraphQLString);

const settingList = (
  name: string,
  key: string,
  others: Record<string, { type: typeof text | GraphQLNonNull<typeof GraphQLFloat> }> = {},
) =>
  listOf(new GraphQLObjectType({ name, fields: { [key]: { type: text }, name: { type: text }, ...others } }));

const Language = settingList("Language", "code");
const VatType = settingList("VatType", "id", { percent: { type: new GraphQLNonNull(GraphQLFloat) } });
const PriceVariant = settingList("PriceVariant", "identifier", { currency: { type: text } });
const StockLocation = settingList("StockLocation", "identifier");

export const Tenant = new GraphQLObjectType<TenantRow, CoreContext>({
  name: "Tenant",
  fields: {
    id: { type: id },
    identifier: { type: text },
    name: { type: text },
    rootItemId: { type: id },
    languages: { type: Language, resolve: ({ settings }) => settings.languages },
    vatTypes: { type: VatType, resolve: ({ settings }) => settings.vatTypes },
    priceVariants: { type: PriceVariant, resolve: ({ settings }) => settings.priceVariants },
    stockLocations: { type: StockLocation, resolve: ({ settings }) => settings.stockLocations },
    staticAuthToken: {
      type: GraphQLString,
      description: "Always null: this service has no static tokens. It is here for clients that select it.",
      resolve: () => null,
    },
  },
});

export const tenantQueries = {
  tenant: plainField<{ identifier?: string | null }>({
    type: Tenant,
    description: "The tenant of the address.",
    args: { identifier: { type: GraphQLString } },
    async resolve({ identifier }, { tenant }) {
      if (identifier && identifier !== tenant.identifier)
        reject(
          "ValidationError",
          `This is the API of the tenant "${tenant.identifier}", not of "${identifier}"`,
        );
      return tenant;
    },
  }),
};
