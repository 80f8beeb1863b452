import { GraphQLNonNull } from "graphql";
import { positionedPage } from "../../storage/pages/page.ts";
import { listAccessTokens } from "../../storage/tenants/access-tokens.ts";
import { plainField } from "../root-fields.ts";
import {
  connection,
  forwardArguments,
  type PageArguments,
  pageRequest,
  positionAfter,
} from "../types/connection.ts";
import { AccessToken } from "../types/tenant/access-token.ts";

export const accessTokenQueries = {
  accessToken: plainField({
    type: new GraphQLNonNull(AccessToken),
    description: "The access token of this request; in a person's session the person's id, name and role.",
    resolve: async (_given, { accessToken }) => accessToken,
  }),
  accessTokens: plainField<PageArguments>({
    type: connection(AccessToken),
    description: "The tenant's access tokens without their secrets, in order of creation; for admin tokens.",
    args: forwardArguments,
    right: "readTokens",
    async resolve(given, { services, tenant }) {
      const request = { ...pageRequest(given), after: positionAfter(given.after) };
      const tokens = await listAccessTokens(services.database, tenant.id);
      return { page: positionedPage(tokens, request), after: given.after };
    },
  }),
};
