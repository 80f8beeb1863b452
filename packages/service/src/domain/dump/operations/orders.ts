import { payloads } from "@lading/schema";
import { orders } from "../../../storage/collections/orders.ts";
import type { ReadKind } from "../dumped-tenant.ts";
import { identified, operation } from "../operation.ts";
import { identifiedPages } from "../pages.ts";

/** Reads orders with all fields of their customers, so that none is filled in from the stored customer. */
export const readOrders: ReadKind = async function* (dumped) {
  for await (const rows of identifiedPages(dumped, orders))
    yield rows.map(({ customerIdentifier, pipelines, updatedAt, customer, ...fields }) => {
      if (pipelines.length > 0) dumped.omissions.add("the pipeline stages of an order", fields.id);
      return operation("order/upsert", {
        ...identified(fields),
        customer: { ...emptyCustomer, ...customer },
      });
    });
};

const emptyCustomer = Object.fromEntries(
  Object.keys(payloads["customer/create"].shape).map((field) => [field, null]),
);
