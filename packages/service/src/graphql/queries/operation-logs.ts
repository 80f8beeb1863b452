import { GraphQLBoolean, GraphQLInt, GraphQLNonNull, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { LogFilter } from "../../storage/task-details/operation-logs.ts";
import { findTask, taskNotFound } from "../../tasks/find.ts";
import { logFilter } from "../../tasks/log/log-filter.ts";
import { listLogs } from "../../tasks/logs.ts";
import { id } from "../derive/non-null.ts";
import { plainField } from "../root-fields.ts";
import {
  connection,
  forwardArguments,
  type PageArguments,
  pageRequest,
  positionAfter,
} from "../types/connection.ts";
import { OperationAction, OperationLog, OperationStatus } from "../types/task/operation-log.ts";
import { filterType } from "./filter-type.ts";

const OperationLogFilter = filterType("OperationLogFilter", {
  operationId: { type: id, description: "The bulk task." },
  status: { type: OperationStatus },
  operationTypeStartsWith: {
    type: GraphQLString,
    description: "The beginning of an intent, such as `product/`.",
  },
  action: { type: OperationAction },
  errorName: {
    type: GraphQLString,
    description: "The name of the failure, or of the first one of a partial operation.",
  },
  statusCode: { type: GraphQLInt },
  cause: { type: GraphQLString, description: "The cause of a failure, as `failureGroups` has it." },
  text: {
    type: GraphQLString,
    description:
      "A part of the cause of a failure, in any case: quoted values, ids and numbers in it stand for any others.",
  },
  unrepaired: {
    type: GraphQLBoolean,
    description:
      "True: only failed and partial operations that no retry has executed successfully since. Retries that were undone " +
      "do not count.",
  },
});

export const operationLogQueries = {
  operationLogs: plainField<PageArguments & { filter: LogFilter }>({
    type: connection(OperationLog),
    description: "The log of a bulk task, in the order of its operations.",
    args: { filter: { type: new GraphQLNonNull(OperationLogFilter) }, ...forwardArguments },
    async resolve({ filter: filterGiven, ...given }, { services, tenant }) {
      const filter = logFilter(filterGiven, ["filter"]);
      const request = { ...pageRequest(given), after: positionAfter(given.after) };
      const page = await listLogs(services.database, tenant.id, filter, request);
      const exists =
        page.nodes.length > 0 || (await findTask(services.database, tenant.id, filter.operationId));
      if (!exists) reject("BulkTaskNotFoundError", taskNotFound(filter.operationId));
      return { page, after: given.after };
    },
  }),
};
