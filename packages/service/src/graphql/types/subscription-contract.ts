import { payloads } from "@lading/schema";
import {
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { timestampOf } from "../../domain/payload/timestamp.ts";
import { reject } from "../../errors.ts";
import type { SubscriptionContractRow } from "../../storage/collections/subscription-contracts.ts";
import {
  type ContractFilter,
  type ContractIdentity,
  contractStates,
  findSubscriptionContract,
  listSubscriptionContracts,
} from "../../storage/queries/subscription-contracts.ts";
import { contractPhase, contractStatus } from "../../tenants/contract-facts.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/lenient-enum.ts";
import { listOf } from "../derive/list-of.ts";
import { stored } from "../derive/output-types.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { outcomeField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "./connection.ts";
import { Customer } from "./customer.ts";
import { outcome } from "./errors.ts";

const id = new GraphQLNonNull(GraphQLID);
const time = new GraphQLNonNull(GraphQLDateTime);

const contractInput = payloads["subscription-contract/create"];
const inputFields = () => stored.fields(contractInput, "SubscriptionContract");

const State = lenientEnum("SubscriptionContractState", contractStates);

stored.extend("ContractStatus", () => ({
  state: {
    type: new GraphQLNonNull(State),
    description: "What was done to it, else what follows from its dates, now.",
  },
  phase: {
    type: inputFields().initial!.type,
    description:
      "The phase that it is in: the initial one, if it has one, until it is renewed; then the recurring one.",
  },
}));

stored.extend("ContractMeteredVariable", () => ({
  id: { type: GraphQLID, description: "As the subscription plan has it, like `name` and `unit`." },
  name: { type: GraphQLString },
  unit: { type: GraphQLString },
}));

const MeteredVariableUsage = new GraphQLObjectType({
  name: "MeteredVariableUsage",
  fields: {
    meteredVariableIdentifier: { type: new GraphQLNonNull(GraphQLString) },
    quantity: { type: new GraphQLNonNull(GraphQLFloat) },
  },
});

interface UsageArguments {
  startDate?: string | null;
  endDate?: string | null;
}

const usageField: GraphQLFieldConfig<SubscriptionContractRow, CoreContext, UsageArguments> = {
  type: listOf(MeteredVariableUsage),
  description:
    "The sum of each metered variable that was used; tracked from the start date on and before the end date.",
  args: { startDate: { type: GraphQLDateTime }, endDate: { type: GraphQLDateTime } },
  resolve: async ({ id }, { startDate, endDate }, { loaders }) => {
    const from = timestampOf(startDate, ["startDate"]) ?? null;
    const until = timestampOf(endDate, ["endDate"]) ?? null;
    return (await loaders.usage(id, { from, until })) ?? [];
  },
};

export const SubscriptionContract = new GraphQLObjectType<SubscriptionContractRow, CoreContext>({
  name: "SubscriptionContractAggregate",
  fields: () => {
    const { initial, recurring, status, ...fields } = inputFields();
    return {
      id: { type: id },
      ...fields,
      customer: {
        type: Customer,
        resolve: ({ customerIdentifier }, _given, { loaders }) => loaders.customer(customerIdentifier),
      },
      initial: {
        ...initial!,
        resolve: (contract, _given, { tenant }) => contractPhase(contract, "initial", tenant.settings),
      },
      recurring: {
        ...recurring!,
        resolve: (contract, _given, { tenant }) => contractPhase(contract, "recurring", tenant.settings),
      },
      status: {
        ...status!,
        resolve: (contract, _given, { tenant }) => contractStatus(contract, tenant.settings, Date.now()),
      },
      usage: usageField,
      createdAt: { type: time },
      updatedAt: { type: time },
    };
  },
});

const SubscriptionContractListFilter = new GraphQLInputObjectType({
  name: "SubscriptionContractListFilter",
  description: "What is given must all hold.",
  fields: {
    customerIdentifier: { type: GraphQLString },
    state: { type: State },
    sku: { type: GraphQLString },
    subscriptionPlanIdentifier: { type: GraphQLString },
  },
});

/** The contract that is asked for. Rejects with `SubscriptionContractNotFoundError`. */
export async function readContract(
  { services, tenant }: CoreContext,
  identity: ContractIdentity,
): Promise<SubscriptionContractRow> {
  if (Boolean(identity.id) === Boolean(identity.resourceIdentifier))
    reject("ValidationError", "Give either id or resourceIdentifier to say which contract is meant");
  const contract = await findSubscriptionContract(services.database, tenant.id, identity);
  if (contract !== undefined) return contract;
  const [name, words] = identity.id
    ? (["id", "id"] as const)
    : (["resourceIdentifier", "resource identifier"] as const);
  return reject(
    "SubscriptionContractNotFoundError",
    `No subscription contract has the ${words} "${identity[name]}"`,
    [name],
  );
}

export const subscriptionContractQueries = {
  subscriptionContract: outcomeField<ContractIdentity>({
    type: outcome("SubscriptionContractResult", [SubscriptionContract]),
    description: "A subscription contract, by id or resource identifier.",
    args: { id: { type: GraphQLID }, resourceIdentifier: { type: GraphQLString } },
    resolve: (given, context) => readContract(context, given),
  }),
  subscriptionContracts: outcomeField<PageArguments & { filter?: ContractFilter | null }>({
    type: outcome("SubscriptionContractsResult", [connection(SubscriptionContract, "SubscriptionContract")]),
    description: "The tenant's subscription contracts, newest first.",
    args: { filter: { type: SubscriptionContractListFilter }, ...pageArguments },
    resolve: async ({ filter, ...given }, { services, tenant }) => ({
      page: await listSubscriptionContracts(services.database, tenant.id, filter ?? {}, pageRequest(given)),
      after: given.after,
    }),
  }),
};
