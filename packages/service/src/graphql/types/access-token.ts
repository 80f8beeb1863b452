import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { AccessToken as AccessTokenRow } from "../../storage/tenants/access-tokens.ts";
import { lenientEnum } from "../derive/lenient-enum.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";

const text = new GraphQLNonNull(GraphQLString);

export const AccessTokenRole = lenientEnum("AccessTokenRole", ["admin", "reader"]);

export const AccessToken = new GraphQLObjectType<AccessTokenRow>({
  name: "AccessToken",
  description:
    "The right to use the API of one tenant. Its secret is shown when it is created and never again.",
  fields: {
    id: { type: new GraphQLNonNull(GraphQLID) },
    name: { type: text },
    role: {
      type: new GraphQLNonNull(AccessTokenRole),
      description: "An admin reads and writes, a reader only reads.",
    },
    createdAt: { type: new GraphQLNonNull(GraphQLDateTime) },
    expiresAt: { type: GraphQLDateTime, description: "Null: it is valid until it is revoked." },
    lastUsedAt: { type: GraphQLDateTime, description: "To the minute; null before the first use." },
  },
});
