import { payloads } from "@lading/schema";
import {
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import type { OrderRow } from "../../storage/collections/orders.ts";
import { findOrder, listOrders, type OrderFilter } from "../../storage/queries/orders.ts";
import type { CoreContext } from "../context.ts";
import { leafType, unwrap } from "../derive/from-zod.ts";
import { stored } from "../derive/output-types.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { outcomeField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "./connection.ts";
import { outcome } from "./errors.ts";

const id = new GraphQLNonNull(GraphQLID);
const text = new GraphQLNonNull(GraphQLString);
const time = new GraphQLNonNull(GraphQLDateTime);

const orderInput = payloads["order/register"];

export const Order = new GraphQLObjectType<OrderRow, CoreContext>({
  name: "Order",
  fields: () => ({
    ...stored.fields(orderInput, "Order"),
    id: { type: id },
    reference: {
      type: text,
      description: "What people call the order: its resource identifier, or its id.",
      resolve: (order) => order.resourceIdentifier ?? order.id,
    },
    createdAt: { type: time },
    updatedAt: { type: time },
  }),
});

/** What registering an order answers. */
export const OrderConfirmation = new GraphQLObjectType<OrderRow, CoreContext>({
  name: "OrderConfirmation",
  fields: { id: { type: id }, createdAt: { type: time } },
});

const OrderListFilter = new GraphQLInputObjectType({
  name: "OrderListFilter",
  description: "What is given must all hold.",
  fields: () => ({
    customer: {
      type: new GraphQLInputObjectType({
        name: "OrderCustomerFilter",
        fields: { identifier: { type: GraphQLString } },
      }),
    },
    meta: {
      type: new GraphQLList(
        new GraphQLNonNull(
          new GraphQLInputObjectType({
            name: "MetaFilter",
            fields: { key: { type: text }, value: { type: GraphQLString } },
          }),
        ),
      ),
    },
    type: { type: leafType(unwrap(orderInput.shape.type).schema, "OrderType") },
    paymentStatus: { type: leafType(unwrap(orderInput.shape.paymentStatus).schema, "OrderPaymentStatus") },
  }),
});

/** The order with this id. Rejects with `OrderNotFoundError`. */
export async function readOrder({ services, tenant }: CoreContext, orderId: string): Promise<OrderRow> {
  const order = await findOrder(services.database, tenant.id, orderId);
  return order ?? reject("OrderNotFoundError", `No order has the id "${orderId}"`, ["id"]);
}

interface OrderIdentity {
  id?: string | null;
  resourceIdentifier?: string | null;
}

/** The order that is asked for in one of two ways. Rejects with `OrderNotFoundError`. */
async function orderOf(context: CoreContext, { id: orderId, resourceIdentifier }: OrderIdentity) {
  if (Boolean(orderId) === Boolean(resourceIdentifier))
    reject("ValidationError", "Give either id or resourceIdentifier to say which order is meant");
  if (orderId) return readOrder(context, orderId);
  const { services, tenant } = context;
  const order = await findOrder(services.database, tenant.id, resourceIdentifier ?? "", "resourceIdentifier");
  return (
    order ??
    reject("OrderNotFoundError", `No order has the resource identifier "${resourceIdentifier}"`, [
      "resourceIdentifier",
    ])
  );
}

export const orderQueries = {
  order: outcomeField<OrderIdentity>({
    type: outcome("OrderResult", [Order]),
    description: "An order, by id or resource identifier.",
    args: { id: { type: GraphQLID }, resourceIdentifier: { type: GraphQLString } },
    resolve: (given, context) => orderOf(context, given),
  }),
  orders: outcomeField<PageArguments & { filter?: OrderFilter | null }>({
    type: outcome("OrdersResult", [connection(Order)]),
    description: "The tenant's orders, newest first.",
    args: { filter: { type: OrderListFilter }, ...pageArguments },
    resolve: async ({ filter, ...given }, { services, tenant }) => ({
      page: await listOrders(services.database, tenant.id, filter ?? {}, pageRequest(given)),
      after: given.after,
    }),
  }),
};
