import type { StockLocation } from "../../../storage/tenants/settings.ts";
import { leastStock } from "../../variant/stock.ts";
import { type Operation, operation } from "../operation.ts";
import type { DumpedItem } from "./item-operations.ts";

/**
 * Lifts a stock location's rule before the first item whose stock violates it, because the stock predates the rule.
 * `restored` restores the rules.
 */
export class StockRules {
  readonly #locations: readonly StockLocation[];
  readonly #lifted = new Set<StockLocation>();

  constructor(locations: readonly StockLocation[]) {
    this.#locations = locations;
  }

  /** The operations that lift rules, to run before the items. */
  lifted(page: readonly DumpedItem[]): Operation[] {
    const stocks = page.flatMap(({ variants, facts }) =>
      [...variants, ...facts].flatMap((row) => row.stockLocations),
    );
    const broken = this.#locations.filter(
      (location) =>
        !this.#lifted.has(location) &&
        stocks.some(
          ({ identifier, stock }) => identifier === location.identifier && stock < leastStock(location),
        ),
    );
    return broken.map((location) => {
      this.#lifted.add(location);
      return locationOperation({ ...location, unlimited: true });
    });
  }

  /** The operations that restore the lifted rules. */
  restored(): Operation[] {
    return [...this.#lifted].map((location) => locationOperation(location));
  }
}

const locationOperation = ({ minimum, unlimited, ...fields }: StockLocation): Operation =>
  operation("stockLocation/upsert", { ...fields, settings: { minimum, unlimited } });
