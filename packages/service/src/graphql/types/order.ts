import { payloads } from "@lading/schema";
import { GraphQLObjectType } from "graphql";
import { type OrderRow, orders } from "../../storage/collections/orders.ts";
import type { CoreContext } from "../context.ts";
import { id, text, time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { lastChangeField } from "./last-change.ts";

export const orderInput = payloads["order/register"];

export const Order = new GraphQLObjectType<OrderRow, CoreContext>({
  name: "Order",
  fields: () => ({
    ...derivedTypes.fields(orderInput, "Order"),
    id: { type: id },
    reference: {
      type: text,
      description: "The order's display name: its resource identifier, or its id.",
      resolve: (order) => order.resourceIdentifier ?? order.id,
    },
    createdAt: { type: time },
    updatedAt: { type: time },
    lastChange: lastChangeField(({ id, updatedAt }: OrderRow) => ({
      at: updatedAt,
      rows: [{ table: orders.table, key: [id] }],
    })),
  }),
});

/** The success of registering an order. */
export const OrderConfirmation = new GraphQLObjectType<OrderRow, CoreContext>({
  name: "OrderConfirmation",
  fields: { id: { type: id }, createdAt: { type: time } },
});
