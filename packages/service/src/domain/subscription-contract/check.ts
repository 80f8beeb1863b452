import type { JsonPath, Payload } from "@lading/schema";
import { reject } from "../../errors.ts";
import { checkOnce, keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";
import { timestampOf } from "../payload/timestamp.ts";
import { checkPrice } from "../variant/check.ts";

type ContractInput = Payload<"subscription-contract/update">;
type Phase = NonNullable<ContractInput["recurring"]>;
type Item = NonNullable<ContractInput["item"]>;
type Status = NonNullable<ContractInput["status"]>;

export const contractLimits = {
  addresses: 20,
  currency: 10,
  quantity: 1_000_000,
  period: 1_000,
  /** The price of a phase, in units of its currency; negative for a discount. */
  price: 1_000_000_000,
  usage: 1_000_000_000,
  usageDescription: 1_024,
} as const;

/** Rejects a subscription contract that breaks a limit with `ValidationError`. */
export function checkContract(contract: ContractInput): void {
  const check = limitCheck();
  check.length(contract.resourceIdentifier, keyLength, ["resourceIdentifier"]);
  check.count(contract.addresses, contractLimits.addresses, ["addresses"]);
  checkItem(check, contract.item, ["item"]);
  checkPhase(check, contract.initial, ["initial"]);
  checkPhase(check, contract.recurring, ["recurring"]);
  check.end();
}

function checkItem(check: LimitCheck, item: Item | undefined, path: JsonPath): void {
  const quantities = { min: 0, max: contractLimits.quantity };
  check.range(item?.quantity ?? undefined, quantities, [...path, "quantity"]);
}

function checkPhase(check: LimitCheck, phase: Phase | null | undefined, path: JsonPath): void {
  if (!phase) return;
  check.length(phase.currency, { max: contractLimits.currency }, [...path, "currency"]);
  const { price: most } = contractLimits;
  check.range(phase.price, { min: -most, max: most }, [...path, "price"]);
  check.range(phase.period, { min: 1, max: contractLimits.period }, [...path, "period"]);
  for (const [i, { tiers }] of (phase.meteredVariables ?? []).entries())
    for (const [j, { currency, price }] of tiers.entries()) {
      const fieldPath = [...path, "meteredVariables", i, "tiers", j];
      check.length(currency, { max: contractLimits.currency }, [...fieldPath, "currency"]);
      checkPrice(check, price, [...fieldPath, "price"]);
    }
  checkOnce(check, phase.meteredVariables, "identifier", [...path, "meteredVariables"]);
  for (const [i, item] of (phase.productVariants ?? []).entries())
    checkItem(check, item, [...path, "productVariants", i]);
  checkOnce(check, phase.productVariants, "sku", [...path, "productVariants"]);
}

/** Rejects usage that breaks a limit with `ValidationError`. */
export function checkUsage({ quantity, idempotencyKey, description }: UsageInput): void {
  const check = limitCheck();
  check.range(quantity, { min: 0, max: contractLimits.usage }, ["input", "quantity"]);
  check.length(idempotencyKey, { min: 1, ...keyLength }, ["input", "idempotencyKey"]);
  check.length(description, { max: contractLimits.usageDescription }, ["input", "description"]);
  check.end();
}

interface UsageInput {
  quantity: number;
  idempotencyKey?: string | null;
  description?: string | null;
}

/** When a contract begins, ends and is renewed, as stored. */
export interface ContractDates {
  activateAt: string | null;
  activeUntil: string | null;
  renewAt: string | null;
}

/**
 * The dates of a status, which replaces the stored one as a whole. Rejects with `ActivateAtMustBeExclusiveError` a
 * contract that has not begun but has another date, and with `InvalidActiveUntilDateError` one that is renewed but
 * never ends. Dates may be in the past: an imported contract keeps its own.
 */
export function contractDates(status: Status): ContractDates {
  const at = (name: keyof Status) => timestampOf(status[name], ["status", name]) ?? null;
  const dates = { activateAt: at("activateAt"), activeUntil: at("activeUntil"), renewAt: at("renewAt") };
  const { activateAt, activeUntil, renewAt } = dates;
  if (activateAt !== null && (activeUntil !== null || renewAt !== null))
    reject(
      "ActivateAtMustBeExclusiveError",
      `status has activateAt and ${activeUntil === null ? "renewAt" : "activeUntil"}; ` +
        "a contract that is still to begin has activateAt alone",
      ["status", "activateAt"],
    );
  if (renewAt !== null && activeUntil === null)
    reject(
      "InvalidActiveUntilDateError",
      `status has renewAt ${renewAt} without activeUntil; say until when the contract is active`,
      ["status", "activeUntil"],
    );
  return dates;
}

/**
 * Adds days, weeks, months or years to a date and time (ISO 8601 in UTC). If the month lacks the day, the result is its
 * last day: one month after 31 January is the last of February. Rejects dates after the year 9999 with
 * `ValidationError`.
 */
export function later(from: string, { period, unit }: Required<Pick<Phase, "period" | "unit">>): string {
  const date = new Date(from);
  const day = date.getUTCDate();
  if (unit === "day") date.setUTCDate(day + period);
  if (unit === "week") date.setUTCDate(day + 7 * period);
  if (unit === "month" || unit === "year") {
    date.setUTCMonth(date.getUTCMonth() + period * (unit === "year" ? 12 : 1));
    if (date.getUTCDate() !== day) date.setUTCDate(0);
  }
  return timestampOf(date.toISOString(), []);
}
