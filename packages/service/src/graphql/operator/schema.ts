import { GraphQLObjectType, GraphQLSchema } from "graphql";
import { listAuditTrail } from "../../storage/tenants/audit-trail.ts";
import type { OperatorContext } from "../context.ts";
import { type AuditArguments, OperatorAuditFilterInput } from "../queries/audit-trail.ts";
import { plainOperatorField } from "../root-fields.ts";
import { forwardArguments, pageRequest } from "../types/connection.ts";
import { errorTypes } from "../types/errors.ts";
import { AuditTrail } from "../types/tenant/audit-trail.ts";
import { accessTokenMutations } from "./access-tokens.ts";
import { groupMutations, groupQueries } from "./groups.ts";
import { tenantMutations, tenantQueries } from "./tenants.ts";

const auditTrail = plainOperatorField<AuditArguments>({
  type: AuditTrail,
  description: "The audit trail of all tenants, newest first; deleted tenants too.",
  args: { filter: { type: OperatorAuditFilterInput }, ...forwardArguments },
  async resolve({ filter, ...page }, { services }) {
    return {
      page: await listAuditTrail(services.database, { ...filter }, pageRequest(page)),
      after: page.after,
    };
  },
});

/** The schema of `POST /operator`: operations on tenants rather than within one. */
export function operatorSchema(): GraphQLSchema {
  const query = new GraphQLObjectType<unknown, OperatorContext>({
    name: "Query",
    fields: { ...tenantQueries, ...groupQueries, auditTrail },
  });
  const mutation = new GraphQLObjectType<unknown, OperatorContext>({
    name: "Mutation",
    fields: { ...tenantMutations, ...accessTokenMutations, ...groupMutations },
  });
  return new GraphQLSchema({ query, mutation, types: [...errorTypes] });
}
