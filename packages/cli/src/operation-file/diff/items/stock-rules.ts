import { isObject } from "@lading/schema";
import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { operation, same } from "../fields.ts";
import type { Operation } from "../records.ts";

/**
 * Lifts the rules of stock locations while items are written whose stock is older than the rule, as a dump does.
 * Settings that are not compared keep the rules of `from`, which the stock of `to` may not fit.
 */
export class StockRules {
  readonly #locations: readonly Operation[];
  #areLifted = false;

  constructor({ from, to }: Comparison, areSettingsCompared: boolean) {
    const [before, after] = [locationsIn(from.settings), locationsIn(to.settings)];
    const settled = areSettingsCompared ? new Map([...before, ...after]) : before;
    const isLifted = (identifier: string) =>
      from.lifted.has(identifier) ||
      to.lifted.has(identifier) ||
      !same(before.get(identifier)?.settings, after.get(identifier)?.settings);
    this.#locations = [...settled].filter(([identifier]) => isLifted(identifier)).map(([, each]) => each);
  }

  /** Passes operations on, with those that lift the rules before the first that writes variants. */
  *around(operations: Iterable<Operation>): Differences {
    for (const each of operations) {
      if (!this.#areLifted && ("variants" in each || "stockLocations" in each)) {
        this.#areLifted = true;
        for (const location of this.#locations) yield withRule(location, { unlimited: true });
      }
      yield each;
    }
  }

  /** Writes the rules again which were lifted. */
  *restored(): Differences {
    if (this.#areLifted) for (const location of this.#locations) yield withRule(location, {});
  }
}

const locationsIn = (settings: readonly Operation[]) =>
  new Map(
    settings
      .filter(({ intent }) => intent === "stockLocation/upsert")
      .map((setting) => [String(setting.identifier), setting]),
  );

function withRule({ intent, position: _, settings, ...fields }: Operation, rule: object): Operation {
  return operation(intent, { ...fields, settings: { ...(isObject(settings) && settings), ...rule } });
}
