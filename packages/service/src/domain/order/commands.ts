import type { CustomerInput, Payload, Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { customers } from "../../storage/collections/customers.ts";
import { type OrderRow, orders } from "../../storage/collections/orders.ts";
import { newId } from "../../storage/ids.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { emptied, merge } from "../merge.ts";
import { keepingStored } from "../payload/failed-uploads.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { timestampOf } from "../payload/timestamp.ts";
import { requirePipelineStage, requireStockLocation } from "../settings/require.ts";
import { writeCommands } from "../write-commands.ts";
import { checkOrder, customerOfOrder } from "./check.ts";
import { findOrder, type OrderIdentity, prefetchOrder, refuseMissing, requireNamedOrder } from "./find.ts";

type NewOrder = Payload<"order/upsert"> & Pick<Payload<"order/register">, "pipelines">;
type ChangedOrder = Payload<"order/update">;
type Wanted = OrderIdentity & Pick<ChangedOrder, "customer">;

/** Declares the order, and the customer that a new order is filled from. */
function prefetchNewOrder(order: Written<Wanted>, prefetch: Prefetch): void {
  prefetchChangedOrder(order, prefetch);
  prefetchCustomer(order, prefetch);
}

/** Declares the order, and its new customer if the payload changes that. */
const prefetchChangedOrder = ({ customer, ...identity }: Written<Wanted>, prefetch: Prefetch): void =>
  prefetchOrder(identity, prefetch, (order, more) => {
    if (customer?.identifier !== order.customerIdentifier) prefetchCustomer({ customer }, more);
  });

function prefetchCustomer({ customer }: Written<Pick<Wanted, "customer">>, prefetch: Prefetch): void {
  if (customer !== undefined) prefetch(customers, "key", [customer.identifier]);
}

/**
 * Stores an order with copies of its products and customer from the payload. Absent fields of the customer are filled
 * from the stored one, if any. Neither products nor customer need to exist.
 */
async function registerOrder(
  { unit, tenant, now }: CommandContext,
  payload: NewOrder,
): Promise<CommandResult> {
  const id = payload.id ?? newId();
  checkOrder(payload);
  checkStockLocation(tenant, payload);
  for (const [i, stage] of (payload.pipelines ?? []).entries())
    requirePipelineStage(tenant, stage, ["pipelines", i]);
  await checkResourceIdentifier(unit, id, payload.resourceIdentifier);
  const createdAt = timestampOf(payload.createdAt, ["createdAt"]) ?? now;
  unit.insert(orders, {
    id,
    resourceIdentifier: payload.resourceIdentifier ?? null,
    customerIdentifier: payload.customer.identifier,
    customer: await customerOfOrder(unit, payload.customer),
    cart: payload.cart,
    total: payload.total ?? null,
    payment: payload.payment ?? [],
    pipelines: payload.pipelines ?? [],
    meta: payload.meta ?? [],
    additionalInformation: payload.additionalInformation ?? null,
    appliedPromotions: payload.appliedPromotions ?? [],
    paymentStatus: payload.paymentStatus ?? null,
    relatedOrderIds: payload.relatedOrderIds ?? [],
    type: payload.type ?? null,
    stockLocationIdentifier: payload.stockLocationIdentifier ?? null,
    createdAt,
    updatedAt: now,
  });
  return { action: "created", output: { id, createdAt } };
}

/** Absent fields are kept, null clears, lists replace, also inside `customer`. Only an upsert can set `createdAt`. */
async function updateOrder(
  { unit, tenant, now, uploads }: CommandContext,
  order: OrderRow,
  payload: ChangedOrder & Pick<NewOrder, "createdAt">,
): Promise<CommandResult> {
  checkOrder(payload);
  checkStockLocation(tenant, payload);
  await checkResourceIdentifier(unit, order.id, payload.resourceIdentifier, order.resourceIdentifier);
  const { id: _, customer, ...fields } = payload;
  const sent = keepingStored(fields, order, uploads, []);
  const patch = {
    ...sent,
    customer: customer && (await customerOfOrder(unit, keepingCustomer(customer, order, uploads), order)),
    customerIdentifier: customer?.identifier,
    meta: emptied(sent.meta),
    payment: emptied(sent.payment),
    appliedPromotions: emptied(sent.appliedPromotions),
    relatedOrderIds: emptied(sent.relatedOrderIds),
    createdAt: timestampOf(sent.createdAt, ["createdAt"]),
  };
  const changed = merge(order, patch, now);
  if (changed !== undefined) unit.update(orders, changed);
  return { action: changed ? "updated" : "unchanged", output: { id: order.id } };
}

/**
 * The customer of a payload. If the order has that customer, omits fields whose stored value is kept after a failed
 * upload.
 */
function keepingCustomer(
  customer: CustomerInput,
  order: OrderRow,
  uploads: CommandContext["uploads"],
): CustomerInput {
  const { identifier } = customer;
  if (identifier !== order.customerIdentifier) return customer;
  return { ...keepingStored(customer, order.customer, uploads, ["customer"]), identifier };
}

function checkStockLocation(
  tenant: CommandContext["tenant"],
  { stockLocationIdentifier }: ChangedOrder,
): void {
  if (stockLocationIdentifier)
    requireStockLocation(tenant, stockLocationIdentifier, ["stockLocationIdentifier"]);
}

async function checkResourceIdentifier(
  unit: UnitOfWork,
  id: string,
  resourceIdentifier?: string,
  stored?: string | null,
): Promise<void> {
  if (resourceIdentifier === undefined) return;
  refuseNewKey(resourceIdentifier, "resourceIdentifier", stored);
  const [owner] = await unit.find(orders, "resourceIdentifier", resourceIdentifier);
  if (owner === undefined || owner.id === id) return;
  const message = `The resource identifier "${resourceIdentifier}" is that of the order ${owner.id}`;
  reject("ResourceIdentifierTakenError", message, ["resourceIdentifier"]);
}

/** The commands that write orders. An upsert registers an order that does not exist, with the id of the payload. */
export const orderCommands = writeCommands({
  keys: prefetchNewOrder,
  updateKeys: prefetchChangedOrder,
  find: findOrder,
  missing: refuseMissing,
  create: registerOrder,
  update: updateOrder,
});

/** Deletes an order. Related orders that name it keep its id. */
export const deleteOrder: Command<"order/delete"> = {
  keys: (payload, prefetch) => prefetchOrder(payload, prefetch),
  async execute({ unit }, payload) {
    const order = await requireNamedOrder(unit, payload);
    unit.remove(orders, order);
    return { action: "deleted", output: { id: order.id } };
  },
};
