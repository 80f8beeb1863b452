import { executeHandler } from "../../commands/execute.ts";
import type { Handler } from "../../domain/command.ts";
import { deleteOrderPipeline, updateOrderPipelineStage } from "../../domain/order/pipelines.ts";
import { Rejection } from "../../errors.ts";
import { callerOf } from "../context.ts";
import { id } from "../derive/non-null.ts";
import { readOrder } from "../queries/orders.ts";
import { writeField } from "../root-fields.ts";
import { Order } from "../types/order.ts";
import { resultUnion } from "../types/result-union.ts";

const idArgument = { type: id };

/** A mutation without an intent that changes an order and answers it. */
const orderField = <Input extends { orderId: string }>(
  name: string,
  description: string,
  args: { [Name in keyof Input]: typeof idArgument },
  work: Handler<Input>,
) =>
  writeField<Input>({
    type: resultUnion(name, [Order]),
    description,
    args,
    async resolve(given, context) {
      const result = await executeHandler(context.services, callerOf(context), work, given);
      if (result instanceof Rejection) throw result;
      return readOrder(context, given.orderId);
    },
  });

export const orderMutations = {
  updateOrderPipelineStage: orderField(
    "UpdateOrderPipelineStageResult",
    "Puts an order into a stage of a pipeline, or moves it there.",
    { orderId: idArgument, pipelineId: idArgument, stageId: idArgument },
    updateOrderPipelineStage,
  ),
  deleteOrderPipeline: orderField(
    "DeleteOrderPipelineResult",
    "Removes an order from a pipeline.",
    { orderId: idArgument, pipelineId: idArgument },
    deleteOrderPipeline,
  ),
};
