import { GraphQLNonNull } from "graphql";
import { plainField } from "../root-fields.ts";
import { AccessToken } from "../types/tenant/access-token.ts";

export const accessTokenQueries = {
  accessToken: plainField({
    type: new GraphQLNonNull(AccessToken),
    description: "The access token of this request.",
    resolve: async (_given, { accessToken }) => accessToken,
  }),
};
