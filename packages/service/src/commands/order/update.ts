import type { Command } from "../../domain/command.ts";
import { findOrder, updateOrder, wantOrder } from "../../domain/order/commands.ts";
import { reject } from "../../errors.ts";

export const command: Command<"order/update"> = {
  keys: wantOrder,
  async execute(context, payload) {
    const order = await findOrder(context.unit, payload);
    if (order !== undefined) return updateOrder(context, order, payload);
    const { id, resourceIdentifier } = payload;
    if (id !== undefined) reject("OrderNotFoundError", `There is no order with the id ${id}`, ["id"]);
    const message = `There is no order with the resource identifier "${resourceIdentifier}"`;
    return reject("OrderNotFoundError", message, ["resourceIdentifier"]);
  },
};
