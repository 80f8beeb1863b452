import { GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import { plainField } from "../root-fields.ts";
import { Tenant } from "../types/tenant/tenant.ts";

export const tenantQueries = {
  tenant: plainField<{ identifier?: string | null }>({
    type: Tenant,
    description: "The tenant of the URL.",
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
