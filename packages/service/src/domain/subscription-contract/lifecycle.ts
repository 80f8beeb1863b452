import { reject } from "../../errors.ts";
import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../../storage/collections/subscription-contracts.ts";
import type { PlanPhase } from "../../storage/tenants/settings.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { CommandContext, Handler } from "../command.ts";
import { merge } from "../merge.ts";
import { named } from "../payload/named-row.ts";
import { requirePlanPeriod, requireSubscriptionPlan } from "../settings/require.ts";
import { later } from "./check.ts";
import { type OneContract, prefetchContractById, requireContract } from "./find.ts";

export interface Cancellation extends OneContract {
  input?: { deactivate?: boolean | null } | null;
}

/** Returns the changes of a contract; rejects a contract in the wrong state. */
type Step<Input> = (
  contract: SubscriptionContractRow,
  context: CommandContext,
  input: Input,
) => Partial<SubscriptionContractRow>;

/** Makes the handler of a contract's state change. It rejects with `SubscriptionContractNotFoundError`. */
const lifecycle = <Input extends OneContract>(step: Step<Input>): Handler<Input> => ({
  keys: prefetchContractById,
  async execute(context, input) {
    const { unit, now } = context;
    const contract = await requireContract(unit, input.subscriptionContractId);
    const changed = merge(contract, step(contract, context, input), now);
    if (changed !== undefined) unit.update(subscriptionContracts, changed);
    return { action: changed ? "updated" : "unchanged", output: { id: contract.id } };
  },
});

/**
 * Cancels a contract: it ends with its current period and is not renewed. With `deactivate`, or without an end date, it
 * ends immediately. Ends a pause.
 */
export const cancelContract = lifecycle<Cancellation>(({ activeUntil }, _context, { input }) =>
  input?.deactivate || activeUntil === null
    ? { activateAt: null, activeUntil: null, renewAt: null, halted: "cancelled" }
    : { renewAt: null, halted: null },
);

/** Pauses a contract; its dates are kept, so that it may end while it is paused. */
export const pauseContract = lifecycle<OneContract>((contract) => {
  const { halted } = contract;
  if (halted === "paused")
    reject(
      "SubscriptionContractIsAlreadyPausedError",
      `The subscription contract ${named(contract)} is paused already`,
    );
  if (halted === "cancelled")
    reject(
      "ConflictError",
      `The subscription contract ${named(contract)} is cancelled; renew it, or give it other dates`,
    );
  return { halted: "paused" };
});

/** Ends a pause; the contract's state follows from its dates again. */
export const resumeContract = lifecycle<OneContract>((contract) => {
  const { halted } = contract;
  if (halted !== "paused")
    reject(
      "SubscriptionContractIsNotPausedError",
      `The subscription contract ${named(contract)} is not paused`,
    );
  return { halted: null };
});

/**
 * Postpones the renewal and the end of a contract by one recurring period, counted from these dates, not from now. A
 * contract without them is renewed from its beginning, and one without any date from now. Afterwards the contract is
 * active, even if it was paused or cancelled, and its initial phase is over.
 */
export const renewContract = lifecycle<OneContract>((contract, { tenant, now }) => {
  const { activateAt, activeUntil, renewAt } = contract;
  if (activateAt !== null && activateAt > now)
    reject(
      "ConflictError",
      `The subscription contract ${named(contract)} begins at ${activateAt}; renew it after that`,
    );
  const phase = recurringPeriod(tenant, contract);
  const from = renewAt ?? activeUntil ?? activateAt ?? now;
  const dates = { renewAt: later(from, phase), activeUntil: later(activeUntil ?? from, phase) };
  return { activateAt: null, ...dates, halted: null, renewed: true };
});

/** The period between renewals: that of the contract's recurring phase, else its plan's. */
function recurringPeriod(
  tenant: Tenant,
  { recurring: { period, unit }, subscriptionPlan: { identifier, periodId } }: SubscriptionContractRow,
): PlanPhase {
  if (period !== undefined && unit !== undefined) return { period, unit };
  const plan = requireSubscriptionPlan(tenant, identifier, ["subscriptionPlan", "identifier"]);
  const { recurring } = requirePlanPeriod(plan, periodId, ["subscriptionPlan", "periodId"]);
  return { period: period ?? recurring.period, unit: unit ?? recurring.unit };
}
