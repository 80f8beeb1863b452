import { GraphQLBoolean, GraphQLID, GraphQLInputObjectType, GraphQLNonNull } from "graphql";
import { executeWork, type Work } from "../../commands/execute.ts";
import * as lifecycle from "../../commands/subscription-contract/lifecycle.ts";
import { Rejection } from "../../errors.ts";
import { outcome } from "../errors.ts";
import { adminField } from "../fields.ts";
import { readContract, SubscriptionContract } from "./subscription-contract.ts";

const CancelSubscriptionContractInput = new GraphQLInputObjectType({
  name: "CancelSubscriptionContractInput",
  fields: {
    deactivate: {
      type: GraphQLBoolean,
      description: "True: it ends at once. Else with the period that it is in.",
    },
  },
});

/** A mutation without an intent that takes a step in the life of a contract and answers the contract. */
const contractField = <Input extends lifecycle.OneContract>(
  step: string,
  description: string,
  work: Work<Input>,
  args: { input?: { type: GraphQLInputObjectType } } = {},
) =>
  adminField<Input>({
    type: outcome(`${step}SubscriptionContractResult`, [SubscriptionContract]),
    description,
    args: { subscriptionContractId: { type: new GraphQLNonNull(GraphQLID) }, ...args },
    async resolve(given, context) {
      const result = await executeWork(context.services, context.tenant.id, work, given);
      if (result instanceof Rejection) throw result;
      return readContract(context, { id: given.subscriptionContractId });
    },
  });

export const subscriptionContractMutations = {
  cancelSubscriptionContract: contractField(
    "Cancel",
    "Ends a subscription contract with the period that it is in, or at once.",
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
    "Ends the pause of a subscription contract.",
    lifecycle.resumeContract,
  ),
  renewSubscriptionContract: contractField(
    "Renew",
    "Moves the renewal and the end of a subscription contract one period on.",
    lifecycle.renewContract,
  ),
};
