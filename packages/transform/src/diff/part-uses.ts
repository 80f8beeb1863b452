import { isObject } from "@lading/schema/internal";

/** The keys of plans' parts: products name periods and metered variables by id, contracts variables by identifier. */
export const partKeys = ["id", "identifier"] as const;
export type PartKey = (typeof partKeys)[number];

type Fields = Readonly<Record<string, unknown>>;

/** The parts of subscription plans that items and contracts name. */
export class PartUses {
  readonly #uses = new Set<string>();

  has(plan: unknown, key: PartKey, value: unknown): boolean {
    return this.#uses.has(JSON.stringify([plan, key, value]));
  }

  /** Adds the parts that an operation names. Returns the number of characters added. */
  add({ variants, subscriptionPlan, ...fields }: Fields): number {
    let characters = 0;
    const note = (plan: unknown, key: PartKey, value: unknown) => {
      const use = JSON.stringify([plan, key, value]);
      if (!this.#uses.has(use)) characters += use.length;
      this.#uses.add(use);
    };
    for (const { subscriptionPlans } of objectsIn(variants))
      for (const { identifier, periods } of objectsIn(subscriptionPlans))
        for (const period of objectsIn(periods))
          for (const { id } of [period, ...variablesOf(period)]) note(identifier, "id", id);
    if (isObject(subscriptionPlan)) {
      const { identifier: plan, periodId } = subscriptionPlan;
      note(plan, "id", periodId);
      for (const { identifier } of variablesOf(fields)) note(plan, "identifier", identifier);
    }
    return characters;
  }
}

const variablesOf = ({ initial, recurring }: Fields): Fields[] =>
  [initial, recurring].flatMap((phase) => (isObject(phase) ? objectsIn(phase.meteredVariables) : []));

const objectsIn = (list: unknown): Fields[] => (Array.isArray(list) ? list.filter(isObject) : []);
