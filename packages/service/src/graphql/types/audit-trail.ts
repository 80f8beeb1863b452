import { GraphQLID, GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { type AuditFilter, type AuditRow, listAuditTrail } from "../../storage/tenants/audit-trail.ts";
import { auditActions } from "../../tenants/audit.ts";
import { GraphQLDateTime, GraphQLJson } from "../derive/scalars.ts";
import { plainField } from "../root-fields.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "./connection.ts";

const id = new GraphQLNonNull(GraphQLID);
const text = new GraphQLNonNull(GraphQLString);
const actions = `One of ${Object.keys(auditActions).join(", ")}.`;

const AuditEntry = new GraphQLObjectType<AuditRow>({
  name: "AuditEntry",
  description: "Who did what, and when.",
  fields: {
    id: { type: id },
    at: { type: new GraphQLNonNull(GraphQLDateTime) },
    tenantIdentifier: { type: text },
    actor: { type: text, description: "`operator` or `accessToken`." },
    accessTokenId: { type: GraphQLID, description: "Of the token that did it; null for the operator." },
    accessTokenName: { type: GraphQLString },
    action: { type: text, description: actions },
    subjectId: { type: id, description: "The id of what it was done to." },
    details: { type: GraphQLJson },
  },
});

const given = {
  action: { type: GraphQLString, description: actions },
  subjectId: { type: GraphQLID, description: "The id of what it was done to." },
};

const AuditFilterInput = new GraphQLInputObjectType({
  name: "AuditTrailFilter",
  description: "What is given must all hold.",
  fields: given,
});

export const OperatorAuditFilterInput = new GraphQLInputObjectType({
  name: "AuditTrailFilter",
  description: "What is given must all hold.",
  fields: { tenantIdentifier: { type: GraphQLString }, ...given },
});

export const AuditTrail = connection(AuditEntry);

export interface AuditArguments extends PageArguments {
  filter?: Omit<AuditFilter, "tenantId"> | null;
}

export const auditTrailQueries = {
  auditTrail: plainField<AuditArguments>({
    type: AuditTrail,
    description: "Who created, started and cancelled what, newest first.",
    args: { filter: { type: AuditFilterInput }, ...forwardArguments },
    async resolve({ filter, ...page }, { services, tenant }) {
      const own = { ...filter, tenantId: tenant.id };
      return { page: await listAuditTrail(services.database, own, pageRequest(page)), after: page.after };
    },
  }),
};
