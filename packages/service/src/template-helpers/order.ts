import { orders } from "../storage/collections/orders.ts";
import type { Fetcher } from "./fetcher.ts";

export const fetchOrderById: Fetcher = {
  missing: "OrderNotFoundError",
  what: "order has the id",
  prefetch: (id, _, prefetch) => prefetch(orders, "key", [id]),
  find: async ({ unit }, id) => {
    const order = await unit.get(orders, id);
    if (order === undefined) return undefined;
    const { customerIdentifier: _, ...fields } = order;
    return { ...fields, reference: order.resourceIdentifier ?? id };
  },
};
