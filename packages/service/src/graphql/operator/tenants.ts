import {
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import { listAccessTokens } from "../../storage/tenants/access-tokens.ts";
import {
  listTenants,
  type TenantSummary,
  tenantSummary,
  tenantUsage,
} from "../../storage/tenants/tenants.ts";
import { operator } from "../../tenants/audit.ts";
import { createTenant } from "../../tenants/create.ts";
import { deleteTenant } from "../../tenants/delete.ts";
import { type TenantChanges, updateTenant } from "../../tenants/update.ts";
import type { OperatorContext } from "../context.ts";
import { float, id, integer, listOf, text, time } from "../derive/non-null.ts";
import { operatorField, plainOperatorField } from "../root-fields.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "../types/connection.ts";
import { resultUnion } from "../types/result-union.ts";
import { AccessToken } from "../types/tenant/access-token.ts";
import { TenantUsage } from "../types/tenant/tenant.ts";

const limits = {
  uploadMaxBytes: { type: GraphQLFloat, description: "Largest upload, in bytes." },
  uploadLifetimeSeconds: {
    type: GraphQLInt,
    description: "How long a presigned upload request is valid.",
  },
  maxWaitingTasks: { type: GraphQLInt, description: "Maximum number of started, unfinished tasks." },
  keepBeforeDays: {
    type: GraphQLInt,
    description: "Retention of before-images written by bulk tasks, in days; 0: none are kept.",
  },
};

const Tenant = new GraphQLObjectType<TenantSummary, OperatorContext>({
  name: "Tenant",
  fields: {
    id: { type: id },
    identifier: { type: text },
    name: { type: text },
    rootItemId: { type: id },
    createdAt: { type: time },
    uploadMaxBytes: { ...limits.uploadMaxBytes, type: float },
    uploadLifetimeSeconds: { ...limits.uploadLifetimeSeconds, type: integer },
    maxWaitingTasks: { ...limits.maxWaitingTasks, type: integer },
    keepBeforeDays: { ...limits.keepBeforeDays, type: integer },
    accessTokens: {
      type: listOf(AccessToken),
      description: "In order of creation, including expired ones.",
      resolve: ({ id }, _given, { services }) => listAccessTokens(services.database, id),
    },
    usage: {
      type: new GraphQLNonNull(TenantUsage),
      resolve: ({ id }, _given, { services }) => tenantUsage(services.database, id),
    },
  },
});

const CreatedTenant = new GraphQLObjectType({
  name: "CreatedTenant",
  fields: {
    tenant: { type: new GraphQLNonNull(Tenant) },
    accessTokenId: { type: id },
    accessTokenSecret: { type: text, description: "Shown only once; only its hash is stored." },
  },
});

const CreateTenantInput = new GraphQLInputObjectType({
  name: "CreateTenantInput",
  fields: {
    identifier: { type: text, description: "2 to 64 lowercase letters, digits and dashes." },
    name: { type: GraphQLString, description: "Default: the identifier." },
  },
});

const UpdateTenantInput = new GraphQLInputObjectType({
  name: "UpdateTenantInput",
  description: "Absent fields are unchanged.",
  fields: { name: { type: GraphQLString }, ...limits },
});

const DeletedTenant = new GraphQLObjectType({
  name: "DeletedTenant",
  fields: { id: { type: id }, identifier: { type: text } },
});

/** The tenant with this identifier. Rejects with `TenantNotFoundError`. */
export async function findTenantForOperator({ services }: OperatorContext, identifier: string) {
  const tenant = await tenantSummary(services.database, identifier);
  return tenant ?? reject("TenantNotFoundError", `There is no tenant "${identifier}"`, ["identifier"]);
}

export const tenantQueries = {
  tenants: plainOperatorField<PageArguments>({
    type: connection(Tenant),
    description: "All tenants, ordered by identifier.",
    args: forwardArguments,
    resolve: async (given, { services }) => ({
      page: await listTenants(services.database, pageRequest(given)),
      after: given.after,
    }),
  }),
  tenant: operatorField<{ identifier: string }>({
    type: resultUnion("TenantResult", [Tenant]),
    args: { identifier: { type: text } },
    resolve: ({ identifier }, context) => findTenantForOperator(context, identifier),
  }),
};

interface CreateArguments {
  input: { identifier: string; name?: string | null };
}

interface UpdateArguments {
  identifier: string;
  input: TenantChanges;
}

export const tenantMutations = {
  createTenant: operatorField<CreateArguments>({
    type: resultUnion("CreateTenantResult", [CreatedTenant]),
    description: "Creates a tenant with its root folder and a first admin token.",
    args: { input: { type: new GraphQLNonNull(CreateTenantInput) } },
    async resolve({ input }, context) {
      const created = await createTenant(context.services.database, input);
      return { ...created, tenant: await findTenantForOperator(context, input.identifier) };
    },
  }),
  updateTenant: operatorField<UpdateArguments>({
    type: resultUnion("UpdateTenantResult", [Tenant]),
    description: "Changes the name of a tenant or its limits.",
    args: { identifier: { type: text }, input: { type: new GraphQLNonNull(UpdateTenantInput) } },
    resolve: ({ identifier, input }, { services }) =>
      updateTenant(services.database, identifier, input, operator),
  }),
  deleteTenant: operatorField<{ identifier: string }>({
    type: resultUnion("DeleteTenantResult", [DeletedTenant]),
    description: "Deletes a tenant with all its data. This cannot be undone.",
    args: { identifier: { type: text } },
    resolve: ({ identifier }, { services: { database, store, logger } }) =>
      deleteTenant({ database, logger, deleteFiles: store.deleteAll }, identifier, operator),
  }),
};
