import { reject } from "../../errors.ts";
import { type OrderRow, orders } from "../../storage/collections/orders.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext, CommandResult, Handler } from "../command.ts";
import { merge } from "../merge.ts";
import { requirePipelineStage } from "../settings/require.ts";

interface InPipeline {
  orderId: string;
  pipelineId: string;
}

const keys = ({ orderId }: InPipeline, prefetch: Prefetch) => prefetch(orders, "key", [orderId]);

/** Puts an order into a stage of a pipeline, or moves it there. */
export const updateOrderPipelineStage: Handler<InPipeline & { stageId: string }> = {
  keys,
  async execute(context, { orderId, pipelineId, stageId }) {
    const order = await requireOrder(context.unit, orderId);
    const stage = { pipelineId, stageId };
    requirePipelineStage(context.tenant, stage, []);
    const at = order.pipelines.findIndex((known) => known.pipelineId === pipelineId);
    const pipelines = at === -1 ? [...order.pipelines, stage] : order.pipelines.with(at, stage);
    return change(context, order, pipelines);
  },
};

/** Removes an order from a pipeline. Idempotent. */
export const deleteOrderPipeline: Handler<InPipeline> = {
  keys,
  async execute(context, { orderId, pipelineId }) {
    const order = await requireOrder(context.unit, orderId);
    return change(
      context,
      order,
      order.pipelines.filter((known) => known.pipelineId !== pipelineId),
    );
  },
};

async function requireOrder(unit: UnitOfWork, id: string): Promise<OrderRow> {
  const order = await unit.get(orders, id);
  return order ?? reject("OrderNotFoundError", `There is no order with the id ${id}`, ["orderId"]);
}

function change(
  { unit, now }: CommandContext,
  order: OrderRow,
  pipelines: OrderRow["pipelines"],
): CommandResult {
  const changed = merge(order, { pipelines }, now);
  if (changed !== undefined) unit.update(orders, changed);
  return { action: changed ? "updated" : "unchanged", output: { id: order.id } };
}
