import { tokenRoles } from "@lading/schema/internal";
import { GraphQLNonNull, GraphQLObjectType } from "graphql";
import type { AccessToken as AccessTokenRow } from "../../../storage/tenants/access-tokens.ts";
import { lenientEnum } from "../../derive/input-types.ts";
import { id, text, time } from "../../derive/non-null.ts";
import { GraphQLDateTime } from "../../derive/scalars.ts";

export const AccessTokenRole = lenientEnum("AccessTokenRole", tokenRoles);

export const AccessToken = new GraphQLObjectType<AccessTokenRow>({
  name: "AccessToken",
  description: "Access to the API of one tenant. Its secret is shown only on creation.",
  fields: {
    id: { type: id },
    name: { type: text },
    role: {
      type: new GraphQLNonNull(AccessTokenRole),
      description: "A reader only reads, a planner also uploads files and plans them, an admin also writes.",
    },
    createdAt: { type: time },
    expiresAt: { type: GraphQLDateTime, description: "Null: valid until revoked." },
    lastUsedAt: { type: GraphQLDateTime, description: "To the minute; null before the first use." },
  },
});
