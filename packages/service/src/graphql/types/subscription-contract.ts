import { payloads } from "@lading/schema";
import {
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { timestampOf } from "../../domain/payload/timestamp.ts";
import type { SubscriptionContractRow } from "../../storage/collections/subscription-contracts.ts";
import { contractStates } from "../../storage/queries/subscription-contracts.ts";
import { contractPhase, contractStatus } from "../../tenants/contract-facts.ts";
import type { CoreContext } from "../context.ts";
import type { FieldsById } from "../derive/from-zod.ts";
import { lenientEnum } from "../derive/input-types.ts";
import { float, id, listOf, text, time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { readsMuch } from "../validation/query-limits.ts";
import { Customer } from "./customer.ts";

const contractInput = payloads["subscription-contract/create"];
const inputFields = () => derivedTypes.fields(contractInput, "SubscriptionContract");

export const State = lenientEnum("SubscriptionContractState", contractStates);

/** Fields of a contract that follow from its dates, its phases and its plan. */
export const contractFields: FieldsById = {
  ContractStatus: () => ({
    state: {
      type: new GraphQLNonNull(State),
      description: "The state set by a mutation, else the one that currently follows from its dates.",
    },
    phase: {
      type: inputFields().initial!.type,
      description: "The current phase: the initial one, if any, until it is renewed; then the recurring one.",
    },
  }),
  ContractMeteredVariable: () => ({
    id: { type: GraphQLID, description: "Taken from the subscription plan, as are `name` and `unit`." },
    name: { type: GraphQLString },
    unit: { type: GraphQLString },
  }),
};

const MeteredVariableUsage = new GraphQLObjectType({
  name: "MeteredVariableUsage",
  fields: {
    meteredVariableIdentifier: { type: text },
    quantity: { type: float },
  },
});

interface UsageArguments {
  startDate?: string | null;
  endDate?: string | null;
}

const usageField: GraphQLFieldConfig<SubscriptionContractRow, CoreContext, UsageArguments> = {
  type: listOf(MeteredVariableUsage),
  extensions: readsMuch(),
  description:
    "The sum per metered variable used; tracked from the start date (inclusive) to the end date (exclusive).",
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
