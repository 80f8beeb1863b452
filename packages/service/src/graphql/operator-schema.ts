import {
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import { listTenants } from "../storage/queries/tenants.ts";
import { createTenant } from "../tenants/create.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "./connection.ts";
import type { OperatorContext } from "./context.ts";
import { outcome } from "./errors.ts";
import { outcomeField, plainField } from "./fields.ts";

const id = new GraphQLNonNull(GraphQLID);
const text = new GraphQLNonNull(GraphQLString);

const Tenant = new GraphQLObjectType({
  name: "Tenant",
  fields: { id: { type: id }, identifier: { type: text }, name: { type: text }, rootItemId: { type: id } },
});

const CreatedTenant = new GraphQLObjectType({
  name: "CreatedTenant",
  fields: {
    tenant: { type: new GraphQLNonNull(Tenant) },
    accessTokenId: { type: id },
    accessTokenSecret: { type: text, description: "Shown this once; only its hash is stored." },
  },
});

const CreateTenantInput = new GraphQLInputObjectType({
  name: "CreateTenantInput",
  fields: {
    identifier: { type: text, description: "2 to 64 lowercase letters, digits and dashes." },
    name: { type: GraphQLString, description: "Default: the identifier." },
  },
});

const Query = new GraphQLObjectType<unknown, OperatorContext>({
  name: "Query",
  fields: {
    tenants: plainField<PageArguments, OperatorContext>({
      type: connection(Tenant),
      description: "Every tenant, in the order of their identifiers.",
      args: pageArguments,
      resolve: async (given, { services }) => ({
        page: await listTenants(services.database, pageRequest(given)),
        after: given.after,
      }),
    }),
  },
});

const Mutation = new GraphQLObjectType<unknown, OperatorContext>({
  name: "Mutation",
  fields: {
    createTenant: outcomeField<{ input: { identifier: string; name?: string | null } }, OperatorContext>({
      type: outcome("CreateTenantResult", [CreatedTenant]),
      description: "Creates a tenant with its root folder and a first admin token.",
      args: { input: { type: new GraphQLNonNull(CreateTenantInput) } },
      resolve: ({ input }, { services }) => createTenant(services.database, input),
    }),
  },
});

/** The schema of `POST /operator`: what is done to tenants rather than in one. */
export const operatorSchema = () => new GraphQLSchema({ query: Query, mutation: Mutation });
