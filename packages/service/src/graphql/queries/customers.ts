import { GraphQLInputObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import {
  type CustomerFilter,
  findCustomer,
  findCustomerGroup,
  listCustomerGroups,
  listCustomers,
} from "../../storage/queries/customers.ts";
import type { CoreContext } from "../context.ts";
import { leafType } from "../derive/from-zod.ts";
import { filterType } from "../derive/input-types.ts";
import { text } from "../derive/non-null.ts";
import { inside } from "../derive/payload-parts.ts";
import type { Identified, MutationResult } from "../mutations/mutation-results.ts";
import { resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { Customer, CustomerGroup, customerInput } from "../types/customer.ts";
import { resultUnion } from "../types/result-union.ts";

const ExternalReference = new GraphQLInputObjectType({
  name: "ExternalReferenceInput",
  fields: { key: { type: text }, value: { type: GraphQLString } },
});

const CustomerListFilter = filterType("CustomerListFilter", () => ({
  type: { type: leafType(inside(customerInput, "type"), "CustomerType") },
  email: { type: GraphQLString },
  externalReference: { type: ExternalReference },
}));

interface CustomerIdentity {
  identifier?: string | null;
  externalReference?: CustomerFilter["externalReference"];
}

/** Rejects with `CustomerNotFoundError`, or `AmbiguousReferenceError` when several have the external reference. */
async function readCustomer({ identifier, externalReference }: CustomerIdentity, context: CoreContext) {
  const { services, tenant } = context;
  if (Boolean(identifier) === Boolean(externalReference))
    reject("ValidationError", "Give either identifier or externalReference to identify the customer");
  if (identifier)
    return (
      (await findCustomer(services.database, tenant.id, identifier)) ??
      reject("CustomerNotFoundError", `No customer has the identifier "${identifier}"`, ["identifier"])
    );
  const { nodes } = await listCustomers(services.database, tenant.id, { externalReference }, { first: 2 });
  const [customer, another] = nodes;
  const reference = JSON.stringify(externalReference);
  if (another)
    reject("AmbiguousReferenceError", `Several customers have the external reference ${reference}`);
  return customer ?? reject("CustomerNotFoundError", `No customer has the external reference ${reference}`);
}

export const customerResult: MutationResult<Identified> = {
  type: Customer,
  read: ({ services, tenant }, { identifier }) => findCustomer(services.database, tenant.id, identifier),
};

export const customerGroupResult: MutationResult<Identified> = {
  type: CustomerGroup,
  read: ({ services, tenant }, { identifier }) => findCustomerGroup(services.database, tenant.id, identifier),
};

export const customerQueries = {
  customer: resultField<CustomerIdentity>({
    type: resultUnion("CustomerResult", [Customer]),
    description: "A customer, by identifier or external reference.",
    args: { identifier: { type: GraphQLString }, externalReference: { type: ExternalReference } },
    resolve: readCustomer,
  }),
  customers: resultField<PageArguments & { filter?: CustomerFilter | null }>({
    type: resultUnion("CustomersResult", [connection(Customer)]),
    description: "The tenant's customers, ordered by identifier.",
    args: { filter: { type: CustomerListFilter }, ...pageArguments },
    resolve: async ({ filter, ...given }, { services, tenant }) => ({
      page: await listCustomers(services.database, tenant.id, filter ?? {}, pageRequest(given)),
      after: given.after,
    }),
  }),
  customerGroup: resultField<{ identifier: string }>({
    type: resultUnion("CustomerGroupResult", [CustomerGroup]),
    description: "A customer group.",
    args: { identifier: { type: text } },
    resolve: async ({ identifier }, { services, tenant }) =>
      (await findCustomerGroup(services.database, tenant.id, identifier)) ??
      reject("CustomerGroupNotFoundError", `No customer group has the identifier "${identifier}"`, [
        "identifier",
      ]),
  }),
  customerGroups: resultField<PageArguments>({
    type: resultUnion("CustomerGroupsResult", [connection(CustomerGroup)]),
    description: "The tenant's customer groups, ordered by identifier.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listCustomerGroups(services.database, tenant.id, pageRequest(given)),
      after: given.after,
    }),
  }),
};
