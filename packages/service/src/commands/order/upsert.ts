import type { Command } from "../../domain/command.ts";
import { findOrder, registerOrder, updateOrder, wantNewOrder } from "../../domain/order/commands.ts";

/** An order that does not exist is registered, with the id that is given. */
export const command: Command<"order/upsert"> = {
  keys: wantNewOrder,
  async execute(context, payload) {
    const order = await findOrder(context.unit, payload);
    return order === undefined ? registerOrder(context, payload) : updateOrder(context, order, payload);
  },
};
