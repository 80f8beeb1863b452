import { countOf } from "../../../ui/format.ts";
import type { Check } from "../use-check.ts";
import type { StartOptions } from "./start-file.ts";

export interface TypedOptions {
  strict: boolean;
  holdAfter: string;
  holdOnFailures: string;
  maxFailures: string;
}

export const noOptions: TypedOptions = { strict: false, holdAfter: "", holdOnFailures: "", maxFailures: "" };

/** The numeric options: their labels, and the minimum of each. */
export const numberOptions = [
  { name: "holdAfter", label: "Hold after", unit: "operations", least: 1 },
  { name: "holdOnFailures", label: "Hold at", unit: "failures", least: 1 },
  { name: "maxFailures", label: "Stop above", unit: "failures", least: 0 },
] as const;

/** The maximum of GraphQL's `Int`. */
const greatest = 2 ** 31 - 1;

const isAllowed = (typed: string, least: number) =>
  typed === "" || (/^\d+$/.test(typed) && Number(typed) >= least && Number(typed) <= greatest);

/** A task's options as the API takes them. A plan is never held. */
export function optionsOf(typed: TypedOptions, kind: "run" | "plan"): StartOptions {
  const names = kind === "plan" ? ["maxFailures"] : numberOptions.map(({ name }) => name);
  const numbers = numberOptions
    .filter(({ name }) => names.includes(name) && typed[name] !== "")
    .map(({ name }) => [name, Number(typed[name])]);
  return { kind, strict: typed.strict, ...Object.fromEntries(numbers) };
}

/** The facts that decide whether a file may be started. */
export interface Readiness {
  isEmpty: boolean;
  /** False while the checks do not have the latest edits yet. */
  isSettled: boolean;
  check: Check;
  options: TypedOptions;
}

/** Why a file cannot be started; undefined if it can. */
export function reasonNotToStart({ isEmpty, isSettled, check, options }: Readiness): string | undefined {
  if (isEmpty) return "There is no file yet.";
  if (check.error !== undefined) return "The file could not be checked.";
  if (!isSettled || check.bytes !== undefined || check.report === undefined) return "Checking …";
  const { operations, errorCount, warningCount } = check.report;
  if (errorCount > 0) return `Fix ${countOf(errorCount, "error")} first.`;
  if (options.strict && warningCount > 0)
    return `Fix ${countOf(warningCount, "warning")} first: the run is strict.`;
  if (operations === 0) return "The file has no operations yet.";
  const wrong = numberOptions.find(({ name, least }) => !isAllowed(options[name], least));
  return wrong && `“${wrong.label} … ${wrong.unit}” must be a whole number of at least ${wrong.least}.`;
}
