import { reject } from "../../errors.ts";
import { type OrderRow, orders } from "../../storage/collections/orders.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { refuseOtherIdentifier } from "../payload/named-row.ts";

/** The properties by which a payload identifies an order; the first one set counts. */
export interface OrderIdentity {
  id?: string | undefined;
  resourceIdentifier?: string | undefined;
}

export function prefetchOrder(
  { id, resourceIdentifier }: OrderIdentity,
  prefetch: Prefetch,
  follow?: (order: OrderRow, prefetch: Prefetch) => void,
): void {
  if (id !== undefined) prefetch(orders, "key", [id], follow);
  if (resourceIdentifier !== undefined) prefetch(orders, "resourceIdentifier", [resourceIdentifier], follow);
}

/** Finds an order by its id, else by its resource identifier; undefined when there is none. */
export async function findOrder(
  unit: UnitOfWork,
  { id, resourceIdentifier }: OrderIdentity,
): Promise<OrderRow | undefined> {
  if (id !== undefined) return unit.get(orders, id);
  if (resourceIdentifier === undefined) return undefined;
  const [order] = await unit.find(orders, "resourceIdentifier", resourceIdentifier);
  return order;
}

/**
 * Finds an order by its id, else by its resource identifier. Rejects with `OrderNotFoundError`, and with
 * `ConflictError` if the two don't match.
 */
export async function requireNamedOrder(unit: UnitOfWork, identity: OrderIdentity): Promise<OrderRow> {
  const order = (await findOrder(unit, identity)) ?? refuseMissing(identity);
  refuseOtherIdentifier(order, identity.resourceIdentifier, { what: "orders", idField: "id" });
  return order;
}

/** Rejects with `OrderNotFoundError` an identity that no order has. */
export function refuseMissing({ id, resourceIdentifier }: OrderIdentity): never {
  if (id !== undefined) reject("OrderNotFoundError", `There is no order with the id ${id}`, ["id"]);
  const message = `There is no order with the resource identifier "${resourceIdentifier}"`;
  return reject("OrderNotFoundError", message, ["resourceIdentifier"]);
}
