import type { Queries } from "../database.ts";
import { conditionList } from "../pages/list.ts";
import { idCursor, type Page, type PageRequest, page, pageLimit } from "../pages/page.ts";
import type { DeliveryTry } from "./events.ts";

/** `dropped`: the tenant's webhook was removed before the event was delivered. */
export const deliveryStatuses = ["pending", "delivered", "failed", "dropped"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface WebhookDelivery {
  taskId: string;
  url: string;
  status: DeliveryStatus;
  createdAt: string;
  /** Null unless it is pending. */
  nextTryAt: string | null;
  tries: DeliveryTry[];
}

export interface DeliveryFilter {
  taskId?: string | null | undefined;
  status?: DeliveryStatus | null | undefined;
}

/** The tenant's events, newest task first. */
export async function listDeliveries(
  queries: Queries,
  tenantId: string,
  filter: DeliveryFilter,
  { first, after }: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const { conditions, parameters } = conditionList(
    [
      ["tenant_id = ?", tenantId],
      ["task_id = ?", filter.taskId],
      ["status = ?", filter.status],
    ],
    1,
  );
  const where = conditions.join(" AND ");
  const beyond = `$${parameters.length + 1}`;
  const rows = await queries.query<WebhookDelivery>(
    `SELECT task_id AS "taskId", url, status, created_at AS "createdAt",
       CASE WHEN status = 'pending' THEN due_at END AS "nextTryAt", tries
     FROM webhook_events WHERE ${where} AND (${beyond}::text IS NULL OR task_id < ${beyond})
     ORDER BY task_id DESC LIMIT ${pageLimit(first)}`,
    [...parameters, idCursor(after)],
  );
  return page(rows, first, {
    cursor: (row) => row.taskId,
    node: (row) => row,
    totalCount: async () => {
      const [row] = await queries.query<{ count: number }>(
        `SELECT count(*) FROM webhook_events WHERE ${where}`,
        parameters,
      );
      return row?.count ?? 0;
    },
  });
}
