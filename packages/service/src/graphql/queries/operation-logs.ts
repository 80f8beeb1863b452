import { GraphQLBoolean, GraphQLInt, GraphQLNonNull, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import { failureFilterOf } from "../../storage/task-details/failures.ts";
import { entriesPerBlock } from "../../storage/task-details/log-blocks.ts";
import { searchLimits } from "../../storage/task-details/log-search.ts";
import type { LogFilter } from "../../storage/task-details/operation-logs.ts";
import { findTask, taskNotFound } from "../../tasks/find.ts";
import { logFilter } from "../../tasks/log/log-filter.ts";
import { listLogs } from "../../tasks/logs.ts";
import { filterType } from "../derive/input-types.ts";
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
import { readsMuch } from "../validation/query-limits.ts";

const OperationLogFilter = filterType("OperationLogFilter", {
  operationId: { type: id, description: "The bulk task." },
  status: { type: OperationStatus },
  operationTypeStartsWith: {
    type: GraphQLString,
    description: "The prefix of an intent, such as `product/`.",
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
      "A part of an operation's display text, ignoring case: its message, its `_ref`, or an id, SKU, identifier " +
      `or reference in its input. A request searches up to ${searchLimits.blocks * entriesPerBlock} operations: continue ` +
      "with `endCursor` while `hasNextPage` is true, even after a page without entries.",
  },
  unrepaired: {
    type: GraphQLBoolean,
    description:
      "True: only failed and partial operations that no retry has executed successfully since. Retries that were undone " +
      "do not count.",
  },
});

/** True when the filter reads entries or failures that the page doesn't return. */
const looksAtMore = (filter: LogFilter): boolean => Boolean(filter.text) || failureFilterOf(filter) !== null;

const OperationLogConnection = connection(OperationLog, OperationLog.name, {
  totalCount: {
    type: GraphQLInt,
    description:
      "The number of matching entries; null with `text`, since only a part of the log is searched.",
    resolve: ({ page }) => page.totalCount(),
  },
  searchedTo: {
    type: GraphQLInt,
    description: "With `text`: the index of the last operation searched for this page.",
    resolve: ({ page }) => ("searchedTo" in page ? page.searchedTo : null),
  },
});

export const operationLogQueries = {
  operationLogs: plainField<PageArguments & { filter: LogFilter }>({
    type: OperationLogConnection,
    extensions: readsMuch(({ filter }) => looksAtMore(filter as LogFilter)),
    description: "The log of a bulk task, in the order of its operations.",
    args: { filter: { type: new GraphQLNonNull(OperationLogFilter) }, ...forwardArguments },
    async resolve({ filter: filterGiven, ...given }, { services, tenant, loaders }) {
      const filter = logFilter(filterGiven, ["filter"]);
      const request = { ...pageRequest(given), after: positionAfter(given.after) };
      const page = await listLogs(services.database, tenant.id, filter, request, {
        budget: loaders.logSearch,
      });
      const exists =
        page.nodes.length > 0 || (await findTask(services.database, tenant.id, filter.operationId));
      if (!exists) reject("BulkTaskNotFoundError", taskNotFound(filter.operationId));
      return { page, after: given.after };
    },
  }),
};
