import { byIntent, type Intent, intents } from "../intents.ts";

/** The properties of an operation's result, when it acted as `intent`. */
export interface ResultBranch {
  readonly intent: Intent;
  /**
   * Each property as a path: `["id", "value"]` is read as `{{ ref.id.value }}`, and also printed by `{{ ref.id }}`. A
   * `*` is any list index, as in `{{ ref.stages.[0].id }}`.
   */
  readonly properties: readonly (readonly string[])[];
}

function branch(intent: Intent): ResultBranch {
  const { result } = intents[intent];
  if (result === undefined) throw new Error(`an upsert cannot act as ${intent}, which is an upsert itself`);
  return { intent, properties: result.map((path) => path.split(".")) };
}

/**
 * The properties that each intent's result always has. An upsert has two branches, create before update; other intents
 * have one.
 */
export const resultProperties: Readonly<Record<Intent, readonly ResultBranch[]>> = byIntent((intent) =>
  (intents[intent].actsAs ?? [intent]).map(branch),
);

/** True if a branch has a property, or an object of properties, at a path. An empty path is the whole result. */
export function hasProperty({ properties }: ResultBranch, path: readonly string[]): boolean {
  return (
    path.length === 0 || properties.some((property) => path.every((part, at) => fits(part, property[at])))
  );
}

const fits = (part: string, expected: string | undefined): boolean =>
  expected === "*" ? /^\d+$/.test(part) : part === expected;
