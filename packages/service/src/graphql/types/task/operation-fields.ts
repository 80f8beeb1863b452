import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  type OperationDefinitionNode,
} from "graphql";
import { reject } from "../../../errors.ts";
import { positionedPage } from "../../../storage/pages/page.ts";
import { listedGroups } from "../../../storage/task-details/failures.ts";
import type { BulkTask } from "../../../tasks/bulk-task.ts";
import type { OperationRange } from "../../../tasks/log/operation.ts";
import type { CoreContext } from "../../context.ts";
import { integer, listOf } from "../../derive/non-null.ts";
import { countRead } from "../../execution/counted-schema.ts";
import { maximumOperations, readsMuch } from "../../validation/query-limits.ts";
import { forwardArguments, type PageArguments, pageRequest, positionAfter } from "../connection.ts";
import { FailureGroupConnection } from "./failure-group.ts";
import { BulkTaskOperation } from "./operation.ts";

export const operationFields: GraphQLFieldConfigMap<BulkTask, CoreContext> = {
  failureGroups: {
    type: new GraphQLNonNull(FailureGroupConnection),
    extensions: readsMuch(),
    description:
      "The causes of failed and partial operations, the most frequent first, those of `FailedDependency` last. At most " +
      `${listedGroups} are listed; if there are more, \`totalCount\` is one higher. With \`unrepaired\`, a \`count\` ` +
      "may then be too low, because only that many groups are counted per retried task.",
    args: {
      unrepaired: {
        type: GraphQLBoolean,
        description:
          "True: only operations that have not succeeded in a retry since, by their latest failure.",
      },
      ...forwardArguments,
    },
    async resolve({ id }, { unrepaired, ...given }: PageArguments & Unrepaired, { loaders }, { operation }) {
      refuseSubscription(operation, "failureGroups");
      const request = { ...pageRequest(given), after: positionAfter(given.after) };
      const groups = await loaders.failureGroups(id, unrepaired ?? false);
      const page = positionedPage(groups.slice(0, listedGroups), request);
      return { page: { ...page, totalCount: async () => groups.length }, after: given.after };
    },
  },
  operation: {
    type: BulkTaskOperation,
    description: "The operation with this index; null until it has been executed.",
    args: { index: { type: integer } },
    resolve({ id }, { index }: { index: number }, { loaders }, { operation }) {
      refuseSubscription(operation, "operation");
      return loaders.operation(id, index);
    },
  },
  operations: {
    type: listOf(BulkTaskOperation),
    description:
      "Executed operations from the index `from` on, before `from + count`: fewer where they are large (query again after " +
      "the last), or where a retry skipped some.",
    args: {
      from: { type: integer },
      count: { type: integer, description: `1 to ${maximumOperations}.` },
    },
    async resolve({ id }, range: OperationRange, context, info) {
      refuseSubscription(info.operation, "operations");
      requireRange(range);
      const operations = await context.loaders.operations(id, range);
      const inputs = operations.map(({ log }) => log.input);
      countRead(context, info, inputs);
      return operations;
    },
  },
};

function requireRange({ from, count }: OperationRange): void {
  if (from < 0) reject("ValidationError", `from is ${from}; it must be 0 or more`);
  if (count < 1 || count > maximumOperations)
    reject("ValidationError", `count is ${count}; it must be 1 to ${maximumOperations}`);
}

interface Unrepaired {
  unrepaired?: boolean | null;
}

/** Rejects with `ValidationError` in a subscription, which would read it on every change of the task. */
export function refuseSubscription({ operation }: OperationDefinitionNode, field: string): void {
  if (operation === "subscription")
    reject("ValidationError", `${field} cannot be subscribed to; query it when the task has ended`);
}
