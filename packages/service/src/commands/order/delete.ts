import type { Command } from "../../domain/command.ts";
import { prefetchOrder, requireNamedOrder } from "../../domain/order/find.ts";
import { orders } from "../../storage/collections/orders.ts";

/** Deletes an order. Other orders that name it among their related ones keep its id. */
export const command: Command<"order/delete"> = {
  keys: (payload, prefetch) => prefetchOrder(payload, prefetch),
  async execute({ unit }, payload) {
    const order = await requireNamedOrder(unit, payload);
    unit.remove(orders, order);
    return { action: "deleted", output: { id: order.id } };
  },
};
