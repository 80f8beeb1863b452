import { reject } from "../../errors.ts";
import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../../storage/collections/subscription-contracts.ts";
import type { PlanPhase } from "../../storage/tenants/settings.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { CommandContext, Handler } from "../command.ts";
import { merge } from "../merge.ts";
import { requirePlanPeriod, requireSubscriptionPlan } from "../settings/require.ts";
import { later } from "./check.ts";
import { type OneContract, requireContract, wantContractById } from "./find.ts";

export interface Cancellation extends OneContract {
  input?: { deactivate?: boolean | null } | null;
}

/** What a step changes of a contract; it rejects a contract that cannot take the step. */
type Step<Input> = (
  contract: SubscriptionContractRow,
  context: CommandContext,
  input: Input,
) => Partial<SubscriptionContractRow>;

/** A step in the life of a contract, as a change of its row. Rejects with `SubscriptionContractNotFoundError`. */
const lifecycle = <Input extends OneContract>(step: Step<Input>): Handler<Input> => ({
  keys: wantContractById,
  async execute(context, input) {
    const { unit, now } = context;
    const contract = await requireContract(unit, input.subscriptionContractId);
    const changed = merge(contract, step(contract, context, input), now);
    if (changed !== undefined) unit.update(subscriptionContracts, changed);
    return { action: changed ? "updated" : "unchanged", output: { id: contract.id } };
  },
});

/**
 * Ends a contract with the period that it is in: it is not renewed. With `deactivate` it ends at once, and so does one
 * without a date of its end. A pause is over.
 */
export const cancelContract = lifecycle<Cancellation>(({ activeUntil }, _context, { input }) =>
  input?.deactivate || activeUntil === null
    ? { activateAt: null, activeUntil: null, renewAt: null, halted: "cancelled" }
    : { renewAt: null, halted: null },
);

/** Pauses a contract; its dates stay, so that it may end meanwhile. */
export const pauseContract = lifecycle<OneContract>(({ id, halted }) => {
  if (halted === "paused")
    reject("SubscriptionContractIsAlreadyPausedError", `The subscription contract ${id} is paused already`);
  if (halted === "cancelled")
    reject("ConflictError", `The subscription contract ${id} is cancelled; renew it, or give it other dates`);
  return { halted: "paused" };
});

/** Ends a pause: what state the contract is in follows from its dates again. */
export const resumeContract = lifecycle<OneContract>(({ id, halted }) => {
  if (halted !== "paused")
    reject("SubscriptionContractIsNotPausedError", `The subscription contract ${id} is not paused`);
  return { halted: null };
});

/**
 * Moves the renewal and the end of a contract one recurring period on, from where they were and not from now; a
 * contract without these dates from its beginning, and one without any from now. It is active then, whether it was
 * paused or cancelled, and its initial phase is over.
 */
export const renewContract = lifecycle<OneContract>((contract, { tenant, now }) => {
  const { id, activateAt, activeUntil, renewAt } = contract;
  if (activateAt !== null && activateAt > now)
    reject("ConflictError", `The subscription contract ${id} begins at ${activateAt}; renew it after that`);
  const phase = recurringPeriod(tenant, contract);
  const from = renewAt ?? activeUntil ?? activateAt ?? now;
  const dates = { renewAt: later(from, phase), activeUntil: later(activeUntil ?? from, phase) };
  return { activateAt: null, ...dates, halted: null, renewed: true };
});

/** How long a contract runs from one renewal to the next: as its recurring phase says, else its plan. */
function recurringPeriod(
  tenant: Tenant,
  { recurring: { period, unit }, subscriptionPlan: { identifier, periodId } }: SubscriptionContractRow,
): PlanPhase {
  if (period !== undefined && unit !== undefined) return { period, unit };
  const plan = requireSubscriptionPlan(tenant, identifier, ["subscriptionPlan", "identifier"]);
  const { recurring } = requirePlanPeriod(plan, periodId, ["subscriptionPlan", "periodId"]);
  return { period: period ?? recurring.period, unit: unit ?? recurring.unit };
}
