import type { TokenRole } from "@lading/schema/internal";
import { GraphQLNonNull, GraphQLObjectType } from "graphql";
import { positionedPage } from "../../storage/pages/page.ts";
import { type GroupRole, listGroupRoles } from "../../storage/tenants/group-roles.ts";
import { operator } from "../../tenants/audit.ts";
import { groupLimits, mapGroup, unmapGroup } from "../../tenants/group-roles.ts";
import { text } from "../derive/non-null.ts";
import { operatorField, plainOperatorField } from "../root-fields.ts";
import {
  connection,
  forwardArguments,
  type PageArguments,
  pageRequest,
  positionAfter,
} from "../types/connection.ts";
import { resultUnion } from "../types/result-union.ts";
import { AccessTokenRole } from "../types/tenant/access-token.ts";
import { findTenantForOperator } from "./tenants.ts";

const GroupRoleType = new GraphQLObjectType<GroupRole>({
  name: "GroupRole",
  description: "The role that the members of a group at the identity provider have in a tenant.",
  fields: {
    group: { type: text },
    tenantIdentifier: { type: text },
    role: { type: new GraphQLNonNull(AccessTokenRole) },
  },
});

const UnmappedGroup = new GraphQLObjectType({
  name: "UnmappedGroup",
  fields: { groupRole: { type: new GraphQLNonNull(GroupRoleType), description: "What was taken away." } },
});

const key = {
  group: {
    type: text,
    description: `The group as the provider names it; at most ${groupLimits.length} characters.`,
  },
  tenantIdentifier: { type: text, description: "The tenant's identifier." },
};

interface Given {
  group: string;
  tenantIdentifier: string;
}

export const groupQueries = {
  groupRoles: plainOperatorField<PageArguments>({
    type: connection(GroupRoleType),
    description: "The roles of all groups, by group and tenant.",
    args: forwardArguments,
    async resolve(given, { services }) {
      const request = { ...pageRequest(given), after: positionAfter(given.after) };
      return { page: positionedPage(await listGroupRoles(services.database), request), after: given.after };
    },
  }),
};

export const groupMutations = {
  mapGroup: operatorField<Given & { role: TokenRole }>({
    type: resultUnion("MapGroupResult", [GroupRoleType]),
    description: "Gives the members of a group a role in a tenant, in place of the one they had.",
    args: { ...key, role: { type: new GraphQLNonNull(AccessTokenRole) } },
    async resolve({ tenantIdentifier, ...given }, context) {
      const tenant = await findTenantForOperator(context, tenantIdentifier);
      return mapGroup(context.services.database, tenant, given, operator);
    },
  }),
  unmapGroup: operatorField<Given>({
    type: resultUnion("UnmapGroupResult", [UnmappedGroup]),
    description: "Takes a group's role in a tenant away, immediately.",
    args: key,
    async resolve({ tenantIdentifier, group }, context) {
      const tenant = await findTenantForOperator(context, tenantIdentifier);
      return { groupRole: await unmapGroup(context.services.database, tenant, group, operator) };
    },
  }),
};
