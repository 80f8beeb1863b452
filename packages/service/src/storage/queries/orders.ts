import { type OrderRow, orders } from "../collections/orders.ts";
import type { Queries } from "../database.ts";
import { conditionList, hasPairs, listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import { rowsByKey } from "./rows.ts";

export interface OrderFilter {
  customer?: { identifier?: string | null } | null;
  /** Orders that have all of these pairs. */
  meta?: { key: string; value?: string | null }[] | null;
  type?: string | null;
  paymentStatus?: string | null;
}

export const findOrder = async (
  queries: Queries,
  tenantId: string,
  value: string,
  by: "id" | "resourceIdentifier" = "id",
) => (await rowsByKey(queries, tenantId, orders, by, [value])).get(value);

export const ordersById = (queries: Queries, tenantId: string, ids: readonly string[]) =>
  rowsByKey(queries, tenantId, orders, "id", ids);

/** The tenant's orders, newest first. */
export function listOrders(
  queries: Queries,
  tenantId: string,
  filter: OrderFilter,
  request: PageRequest,
): Promise<Page<OrderRow>> {
  const list = {
    select: `SELECT ${orders.sql.columnList} FROM orders t`,
    ...conditionList([
      ["t.customer_identifier = ?", filter.customer?.identifier],
      [hasPairs("orders", "id", "meta"), filter.meta?.length ? JSON.stringify(filter.meta) : null],
      ["t.type = ?", filter.type],
      ["t.payment_status = ?", filter.paymentStatus],
    ]),
    order: ["t.id"],
    keyOf: (row: OrderRow) => [row.id],
    descending: true,
  };
  return listRows(queries, tenantId, list, request);
}
