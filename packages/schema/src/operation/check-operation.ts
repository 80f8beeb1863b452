import { type Intent, intentNames, isIntent, objectionToCondition } from "../intents.ts";
import { isObject } from "../is-object.ts";
import { describe, didYouMean } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { type Problems, problemsIn } from "../schema-walk/problems-in.ts";
import { filePayloads, possibleFilePayloads } from "./schemas.ts";
import { warnOfSettings } from "./settings-warnings.ts";
import { definesComponents, withoutStraySettings } from "./stray-settings.ts";

export interface CheckedOperation {
  /** Absent if the operation's intent is missing or unknown. */
  intent?: Intent;
  ref?: string;
  errors: Problem[];
  /** Unused fields (unknown, or settings of another component type) and values that execution would refuse. */
  warnings: Problem[];
}

/**
 * Checks one operation in its file form, with unrendered templates. Paths start at the operation. Returns at
 * most 1,000 errors and 1,000 warnings.
 */
export function checkOperation(value: unknown): CheckedOperation {
  if (!isObject(value)) {
    const message = `expected an operation, an object with "intent", got ${describe(value)}`;
    return { errors: [{ code: "WrongType", message, path: [] }], warnings: [] };
  }
  const { intent, _ref: ref } = value;
  const named = typeof ref === "string" && ref !== "" ? { ref } : {};
  if (!isIntent(intent)) return { ...named, errors: [wrongIntent(intent)], warnings: [] };
  return { intent, ...named, ...checkPayload(intent, value) };
}

type Fields = Record<string, unknown>;

function checkPayload(intent: Intent, value: Fields): Problems {
  const objection = "_ifUnchangedSince" in value ? objectionToCondition(intent) : undefined;
  if (objection === undefined) return checkFields(intent, value);
  const { _ifUnchangedSince: _, ...others } = value;
  const problems = checkFields(intent, others);
  const message = `"${intent}" takes no _ifUnchangedSince: ${objection}`;
  problems.errors.push({ code: "UnknownField", message, path: ["_ifUnchangedSince"] });
  return problems;
}

function checkFields(intent: Intent, value: Fields): Problems {
  const problems = problemsWithin(intent, value);
  if (!definesComponents(intent)) return problems;
  const rest = problems.errors.length > 0 ? problemsWithin(intent, withoutStraySettings(value)) : problems;
  if (rest.errors.length === 0) warnOfSettings(value, rest);
  return rest;
}

/** Finds the problems in the file form, and as warnings the values that execution would refuse. */
function problemsWithin(intent: Intent, value: unknown): Problems {
  const possible = problemsIn(possibleFilePayloads[intent], value);
  if (possible.errors.length === 0) return possible;
  const problems = problemsIn(filePayloads[intent], value);
  if (problems.errors.length === 0) problems.warnings.push(...possible.errors);
  return problems;
}

function wrongIntent(intent: unknown): Problem {
  const path = ["intent"];
  if (intent === undefined)
    return { code: "MissingField", message: '"intent" is missing: expected an intent', path };
  if (typeof intent !== "string") {
    return { code: "WrongType", message: `expected an intent, got ${describe(intent)}`, path };
  }
  const advice = didYouMean(intent, intentNames);
  const hint = advice === undefined ? "" : `; ${advice}`;
  return { code: "UnknownIntent", message: `${describe(intent)} is not a known intent${hint}`, path };
}
