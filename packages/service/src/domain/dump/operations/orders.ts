import { orders } from "../../../storage/collections/orders.ts";
import type { ReadKind } from "../dumped-tenant.ts";
import { filled, operation } from "../operation.ts";
import { identifiedPages } from "../pages.ts";

/** Reads orders. They come before customers: a new order gets what it lacks of its customer from the stored one. */
export const readOrders: ReadKind = async function* (dumped) {
  for await (const rows of identifiedPages(dumped, orders))
    yield rows.map(({ customerIdentifier, pipelines, updatedAt, cart, ...fields }) => {
      if (pipelines.length > 0) dumped.omissions.add("the pipeline stages of an order", fields.id);
      return operation("order/upsert", { cart, ...filled(fields) });
    });
};
