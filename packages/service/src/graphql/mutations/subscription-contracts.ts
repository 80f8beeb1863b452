import {
  GraphQLBoolean,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { executeHandler } from "../../commands/execute.ts";
import type { Handler } from "../../domain/command.ts";
import type { OneContract } from "../../domain/subscription-contract/find.ts";
import * as lifecycle from "../../domain/subscription-contract/lifecycle.ts";
import { type NewUsage, trackUsage } from "../../domain/subscription-contract/track-usage.ts";
import { Rejection } from "../../errors.ts";
import { callerOf } from "../context.ts";
import { float, id, text, time } from "../derive/non-null.ts";
import { readContract } from "../queries/subscription-contracts.ts";
import { writeField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { SubscriptionContract } from "../types/subscription-contract.ts";

const CancelSubscriptionContractInput = new GraphQLInputObjectType({
  name: "CancelSubscriptionContractInput",
  fields: {
    deactivate: {
      type: GraphQLBoolean,
      description: "True: it ends immediately. Otherwise it ends with its current period.",
    },
  },
});

const TrackSubscriptionContractUsageInput = new GraphQLInputObjectType({
  name: "TrackSubscriptionContractUsageInput",
  fields: {
    meteredVariableIdentifier: { type: text, description: "A metered variable of the contract's plan." },
    quantity: { type: float },
    idempotencyKey: {
      type: GraphQLString,
      description: "A usage is tracked once per key, however often it is sent.",
    },
    description: { type: GraphQLString },
  },
});

const SubscriptionContractUsage = new GraphQLObjectType({
  name: "SubscriptionContractUsage",
  fields: { id: { type: id }, createdAt: { type: time } },
});

/** A mutation without an intent that changes a contract's state and answers the contract. */
const contractField = <Input extends OneContract>(
  step: string,
  description: string,
  work: Handler<Input>,
  args: { input?: { type: GraphQLInputObjectType } } = {},
) =>
  writeField<Input>({
    type: resultUnion(`${step}SubscriptionContractResult`, [SubscriptionContract]),
    description,
    args: { subscriptionContractId: { type: id }, ...args },
    async resolve(given, context) {
      const result = await executeHandler(context.services, callerOf(context), work, given);
      if (result instanceof Rejection) throw result;
      return readContract(context, { id: given.subscriptionContractId });
    },
  });

export const subscriptionContractMutations = {
  cancelSubscriptionContract: contractField(
    "Cancel",
    "Ends a subscription contract with its current period, or immediately.",
    lifecycle.cancelContract,
    { input: { type: CancelSubscriptionContractInput } },
  ),
  pauseSubscriptionContract: contractField(
    "Pause",
    "Pauses a subscription contract; its dates stay.",
    lifecycle.pauseContract,
  ),
  resumeSubscriptionContract: contractField(
    "Resume",
    "Resumes a paused subscription contract.",
    lifecycle.resumeContract,
  ),
  renewSubscriptionContract: contractField(
    "Renew",
    "Moves the renewal and the end of a subscription contract by one period.",
    lifecycle.renewContract,
  ),
  trackSubscriptionContractUsage: writeField<NewUsage>({
    type: resultUnion("TrackSubscriptionContractUsageResult", [SubscriptionContractUsage]),
    description: "Tracks the usage of a metered variable of a subscription contract.",
    args: {
      subscriptionContractId: { type: id },
      input: { type: new GraphQLNonNull(TrackSubscriptionContractUsageInput) },
    },
    async resolve(given, context) {
      const result = await executeHandler(context.services, callerOf(context), trackUsage, given);
      if (result instanceof Rejection) throw result;
      return result.output;
    },
  }),
};
