import { isObject } from "@lading/schema/internal";
import { KeyTable, keyOf } from "./key-table.ts";

/** The keys of plans' parts: products name periods and metered variables by id, contracts variables by identifier. */
export const partKeys = ["id", "identifier"] as const;
export type PartKey = (typeof partKeys)[number];

type Fields = Readonly<Record<string, unknown>>;

/** The parts of subscription plans that items and contracts name. */
export class PartUses {
  readonly #uses = new KeyTable();

  has(plan: unknown, key: PartKey, value: unknown): boolean {
    return this.#uses.get(useOf(planOf(plan), key, value)) !== undefined;
  }

  /** Adds the parts that an operation names. Returns how many are new. */
  add({ variants, subscriptionPlan, ...fields }: Fields): number {
    let added = 0;
    const note = (plan: string, key: PartKey, value: unknown) => {
      const use = useOf(plan, key, value);
      if (this.#uses.get(use) === undefined) added++;
      this.#uses.set(use, 0);
    };
    for (const { subscriptionPlans } of objectsIn(variants))
      for (const { identifier, periods } of objectsIn(subscriptionPlans)) {
        const plan = planOf(identifier);
        for (const period of objectsIn(periods))
          for (const { id } of [period, ...variablesOf(period)]) note(plan, "id", id);
      }
    if (isObject(subscriptionPlan)) {
      const plan = planOf(subscriptionPlan.identifier);
      note(plan, "id", subscriptionPlan.periodId);
      for (const { identifier } of variablesOf(fields)) note(plan, "identifier", identifier);
    }
    return added;
  }
}

/** A plan's name in its uses: hashed once for all of them, because it may be long. */
const planOf = (identifier: unknown) => String(keyOf(String(identifier)));

const useOf = (plan: string, key: PartKey, value: unknown) => keyOf(plan, key, String(value));

const variablesOf = ({ initial, recurring }: Fields): Fields[] =>
  [initial, recurring].flatMap((phase) => (isObject(phase) ? objectsIn(phase.meteredVariables) : []));

const objectsIn = (list: unknown): Fields[] => (Array.isArray(list) ? list.filter(isObject) : []);
