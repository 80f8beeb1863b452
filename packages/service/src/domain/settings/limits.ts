import { type JsonPath, partLimits } from "@lading/schema/internal";
import { type Problem, rejectAll } from "../../errors.ts";

/** Lengths of texts in UTF-16 units, numbers of entries, and sizes of numbers. */
export const settingLimits = {
  languages: 100,
  vatTypes: 100,
  priceVariants: 1_000,
  stockLocations: 1_000,
  markets: 1_000,
  subscriptionPlans: 100,
  pipelines: 100,
  periods: partLimits.periods,
  meteredVariables: partLimits.meteredVariables,
  stages: partLimits.stages,
  identifier: 64,
  name: 256,
  currency: 10,
  percent: 1_000,
  stock: 1_000_000_000,
  /** Days, weeks, months or years of one period. */
  period: 1_000,
} as const;

/** Collects the problems of settings; `end` rejects with all of them, if there are any. */
export interface SettingCheck {
  /** A text of 1 to `max` characters. */
  text(text: string, max: number, path: JsonPath): void;
  /** An id: 24 lowercase hex digits. */
  id(id: string, path: JsonPath): void;
  range(number: number, limits: { min: number; max: number }, path: JsonPath): void;
  count(list: readonly unknown[], limits: { min: number; max: number }, path: JsonPath): void;
  /** No two entries have the same value of a property. */
  once<Entry>(list: readonly Entry[], property: keyof Entry & string, path: JsonPath): void;
  add(message: string, path: JsonPath): void;
  /** Rejects with `ValidationError` if there are problems. */
  end(): void;
}

export function settingCheck(): SettingCheck {
  const errors: Problem[] = [];
  const add = (message: string, path: JsonPath) => {
    errors.push({ code: "OutOfRange", message, path });
  };
  return {
    add,
    text(text, max, path) {
      if (text.length >= 1 && text.length <= max) return;
      add(`${path.join(".")} has ${text.length} characters; it needs 1 to ${max}`, path);
    },
    id(id, path) {
      if (!/^[0-9a-f]{24}$/.test(id)) add(`"${id}" is not an id: 24 digits of 0 to 9 and a to f`, path);
    },
    range(number, { min, max }, path) {
      if (number >= min && number <= max) return;
      add(`${path.join(".")} is ${number}; use a number from ${min} to ${max}`, path);
    },
    count(list, { min, max }, path) {
      if (list.length >= min && list.length <= max) return;
      add(`${path.join(".")} lists ${list.length}; it needs ${min} to ${max}`, path);
    },
    once(list, property, path) {
      const seen = new Set<unknown>();
      for (const [i, entry] of list.entries()) {
        const value = entry[property];
        if (seen.has(value)) add(`"${value}" occurs twice in ${path.join(".")}`, [...path, i, property]);
        seen.add(value);
      }
    },
    end() {
      if (errors.length > 0) rejectAll("ValidationError", errors);
    },
  };
}
