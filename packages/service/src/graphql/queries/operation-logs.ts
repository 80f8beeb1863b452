import { GraphQLNonNull, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { LogFilter } from "../../storage/task-details/operation-logs.ts";
import { findTask } from "../../tasks/find.ts";
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
});

export const operationLogQueries = {
  operationLogs: plainField<PageArguments & { filter: LogFilter }>({
    type: connection(OperationLog),
    description: "The log of a bulk task, in the order of its operations.",
    args: { filter: { type: new GraphQLNonNull(OperationLogFilter) }, ...forwardArguments },
    async resolve({ filter, ...given }, { services, tenant }) {
      const request = { ...pageRequest(given), after: positionAfter(given.after) };
      const page = await listLogs(services.database, tenant.id, filter, request);
      const exists =
        page.nodes.length > 0 || (await findTask(services.database, tenant.id, filter.operationId));
      if (!exists) reject("BulkTaskNotFoundError", `No bulk task has the id "${filter.operationId}"`);
      return { page, after: given.after };
    },
  }),
};
