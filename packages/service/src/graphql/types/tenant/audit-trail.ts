import { GraphQLID, GraphQLObjectType, GraphQLString } from "graphql";
import type { AuditRow } from "../../../storage/tenants/audit-trail.ts";
import { auditActions } from "../../../tenants/audit.ts";
import { id, text, time } from "../../derive/non-null.ts";
import { GraphQLJson } from "../../derive/scalars.ts";
import { connection } from "../connection.ts";

export const auditedActions = `One of ${Object.keys(auditActions).join(", ")}.`;

const AuditEntry = new GraphQLObjectType<AuditRow>({
  name: "AuditEntry",
  description: "One action: its actor, its subject and its time.",
  fields: {
    id: { type: id },
    at: { type: time },
    tenantIdentifier: { type: text },
    actor: { type: text, description: "`operator`, `accessToken`, `person` or `task`." },
    accessTokenId: {
      type: GraphQLID,
      description: "The id of the acting token; null for other actors.",
    },
    accessTokenName: { type: GraphQLString },
    personIssuer: {
      type: GraphQLString,
      description: "The identity provider of the acting person; null for other actors.",
    },
    personSubject: { type: GraphQLString, description: "The id of the acting person at the provider." },
    personName: { type: GraphQLString, description: "The name of the person, as the provider gave it." },
    taskId: { type: GraphQLID, description: "The id of the acting bulk task; null for other actors." },
    action: { type: text, description: auditedActions },
    subjectId: { type: id, description: "The id of the subject of the action." },
    details: { type: GraphQLJson },
  },
});

export const AuditTrail = connection(AuditEntry);
