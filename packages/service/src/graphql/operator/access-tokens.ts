import { GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType } from "graphql";
import {
  accessTokenNameLength,
  issueAccessToken,
  type NewAccessToken,
  revokeAccessToken,
} from "../../tenants/access-tokens.ts";
import { operator } from "../../tenants/audit.ts";
import { id, text } from "../derive/non-null.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { operatorField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { AccessToken, AccessTokenRole } from "../types/tenant/access-token.ts";
import { findTenantForOperator } from "./tenants.ts";

const tenantIdentifier = { type: text, description: "The tenant's identifier." };

const CreatedAccessToken = new GraphQLObjectType({
  name: "CreatedAccessToken",
  fields: {
    accessToken: { type: new GraphQLNonNull(AccessToken) },
    secret: { type: text, description: "Shown only once; only its hash is stored." },
  },
});

const RevokedAccessToken = new GraphQLObjectType({
  name: "RevokedAccessToken",
  fields: { accessToken: { type: new GraphQLNonNull(AccessToken) } },
});

const CreateAccessTokenInput = new GraphQLInputObjectType({
  name: "CreateAccessTokenInput",
  fields: {
    name: { type: text, description: `Its purpose; at most ${accessTokenNameLength} characters.` },
    role: { type: new GraphQLNonNull(AccessTokenRole) },
    expiresAt: { type: GraphQLDateTime, description: "Default: valid until revoked." },
  },
});

export const accessTokenMutations = {
  createAccessToken: operatorField<{ tenantIdentifier: string; input: NewAccessToken }>({
    type: resultUnion("CreateAccessTokenResult", [CreatedAccessToken]),
    description: "Creates an access token of a tenant.",
    args: { tenantIdentifier, input: { type: new GraphQLNonNull(CreateAccessTokenInput) } },
    async resolve(given, context) {
      const tenant = await findTenantForOperator(context, given.tenantIdentifier);
      return issueAccessToken(context.services.database, tenant, given.input, operator);
    },
  }),
  revokeAccessToken: operatorField<{ tenantIdentifier: string; id: string }>({
    type: resultUnion("RevokeAccessTokenResult", [RevokedAccessToken]),
    description: "Revokes an access token of a tenant, on all processes of the service.",
    args: { tenantIdentifier, id: { type: id } },
    async resolve(given, context) {
      const tenant = await findTenantForOperator(context, given.tenantIdentifier);
      const accessToken = await revokeAccessToken(context.services.database, tenant, given.id, operator);
      return { accessToken };
    },
  }),
};
