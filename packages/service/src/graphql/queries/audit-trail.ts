import { GraphQLID, GraphQLString } from "graphql";
import { type AuditFilter, listAuditTrail } from "../../storage/tenants/audit-trail.ts";
import { filterType } from "../derive/input-types.ts";
import { plainField } from "../root-fields.ts";
import { forwardArguments, type PageArguments, pageRequest } from "../types/connection.ts";
import { AuditTrail, auditedActions } from "../types/tenant/audit-trail.ts";

const given = {
  action: { type: GraphQLString, description: auditedActions },
  subjectId: { type: GraphQLID, description: "The id of the subject of the action." },
};

const AuditFilterInput = filterType("AuditTrailFilter", given);

export const OperatorAuditFilterInput = filterType("AuditTrailFilter", {
  tenantIdentifier: { type: GraphQLString },
  ...given,
});

export interface AuditArguments extends PageArguments {
  filter?: Omit<AuditFilter, "tenantId"> | null;
}

export const auditTrailQueries = {
  auditTrail: plainField<AuditArguments>({
    type: AuditTrail,
    description: "The tenant's audit trail: who created, started and cancelled what, newest first.",
    args: { filter: { type: AuditFilterInput }, ...forwardArguments },
    async resolve({ filter, ...page }, { services, tenant }) {
      const own = { ...filter, tenantId: tenant.id };
      return { page: await listAuditTrail(services.database, own, pageRequest(page)), after: page.after };
    },
  }),
};
