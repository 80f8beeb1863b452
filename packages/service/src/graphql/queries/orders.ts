import { GraphQLID, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { OrderRow } from "../../storage/collections/orders.ts";
import { findOrder, listOrders, type OrderFilter } from "../../storage/queries/orders.ts";
import type { CoreContext } from "../context.ts";
import { leafType } from "../derive/from-zod.ts";
import { filterType } from "../derive/input-types.ts";
import { text } from "../derive/non-null.ts";
import { inside } from "../derive/payload-parts.ts";
import { resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { Order, orderInput } from "../types/order.ts";
import { resultUnion } from "../types/result-union.ts";

const OrderListFilter = filterType("OrderListFilter", () => ({
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
  type: { type: leafType(inside(orderInput, "type"), "OrderType") },
  paymentStatus: { type: leafType(inside(orderInput, "paymentStatus"), "OrderPaymentStatus") },
}));

/** The order with this id. Rejects with `OrderNotFoundError`. */
export async function readOrder({ services, tenant }: CoreContext, orderId: string): Promise<OrderRow> {
  const order = await findOrder(services.database, tenant.id, orderId);
  return order ?? reject("OrderNotFoundError", `No order has the id "${orderId}"`, ["id"]);
}

interface OrderIdentity {
  id?: string | null;
  resourceIdentifier?: string | null;
}

/** The order requested by id or by resource. Rejects with `OrderNotFoundError`. */
async function orderOf(context: CoreContext, { id: orderId, resourceIdentifier }: OrderIdentity) {
  if (Boolean(orderId) === Boolean(resourceIdentifier))
    reject("ValidationError", "Give either id or resourceIdentifier to identify the order");
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
  order: resultField<OrderIdentity>({
    type: resultUnion("OrderResult", [Order]),
    description: "An order, by id or resource identifier.",
    args: { id: { type: GraphQLID }, resourceIdentifier: { type: GraphQLString } },
    resolve: (given, context) => orderOf(context, given),
  }),
  orders: resultField<PageArguments & { filter?: OrderFilter | null }>({
    type: resultUnion("OrdersResult", [connection(Order)]),
    description: "The tenant's orders, newest first.",
    args: { filter: { type: OrderListFilter }, ...pageArguments },
    resolve: async ({ filter, ...given }, { services, tenant }) => ({
      page: await listOrders(services.database, tenant.id, filter ?? {}, pageRequest(given)),
      after: given.after,
    }),
  }),
};
