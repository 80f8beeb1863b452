import type { SubscriptionContractRow } from "../storage/collections/subscription-contracts.ts";
import type { ContractState } from "../storage/queries/subscription-contracts.ts";
import type { MeteredVariable, TenantSettings } from "../storage/tenants/settings.ts";

/** Facts derived from a stored contract and the tenant's settings, shared by queries and templates. */

type Contract = Readonly<SubscriptionContractRow>;

/**
 * The state of a contract at a time (milliseconds since 1970): the state set by a mutation, else the one derived from
 * its dates. Without an end date it continues; with one, it ends unless renewed. The filter of contracts by state has
 * the same rules in SQL.
 */
function contractState(contract: Contract, now: number): ContractState {
  const { halted, activateAt, activeUntil, renewAt } = contract;
  if (halted !== null) return halted;
  if (activateAt !== null && Date.parse(activateAt) > now) return "pendingActivation";
  if (activeUntil === null || renewAt !== null) return "active";
  return Date.parse(activeUntil) > now ? "pendingDeactivation" : "cancelled";
}

/** A phase of a contract, with its plan's facts about metered variables, if the plan still exists. */
export function contractPhase(contract: Contract, name: "initial" | "recurring", settings: TenantSettings) {
  const phase = contract[name];
  if (!phase?.meteredVariables) return phase;
  const variables = variablesOf(contract, settings);
  const meteredVariables = phase.meteredVariables.map((variable) => ({
    ...variables.get(variable.identifier),
    ...variable,
  }));
  return { ...phase, meteredVariables };
}

function variablesOf(
  { planIdentifier }: Contract,
  { subscriptionPlans }: TenantSettings,
): ReadonlyMap<string, MeteredVariable> {
  const plan = subscriptionPlans.find(({ identifier }) => identifier === planIdentifier);
  return new Map(plan?.meteredVariables.map((variable) => [variable.identifier, variable]));
}

/** The status of a contract at a time: its dates, its state, and its current phase. */
export function contractStatus(contract: Contract, settings: TenantSettings, now: number) {
  const { activateAt, activeUntil, renewAt, initial, renewed } = contract;
  const phase = initial && !renewed ? "initial" : "recurring";
  return {
    ...{ activateAt, activeUntil, renewAt },
    state: contractState(contract, now),
    phase: contractPhase(contract, phase, settings),
  };
}
