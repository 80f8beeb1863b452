import {
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import type { LogFilter } from "../../storage/task-details/operation-logs.ts";
import { findTask } from "../../tasks/find.ts";
import { type OperationLog as LogEntry, listLogs } from "../../tasks/logs.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/lenient-enum.ts";
import { GraphQLDateTime, GraphQLJson } from "../derive/scalars.ts";
import { plainField } from "../root-fields.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "./connection.ts";
import { positionAfter } from "./position.ts";

const id = new GraphQLNonNull(GraphQLID);
const text = new GraphQLNonNull(GraphQLString);
const whole = new GraphQLNonNull(GraphQLInt);
const OperationStatus = lenientEnum("OperationStatus", ["success", "partial", "failure"]);

const OperationLog = new GraphQLObjectType<LogEntry, CoreContext>({
  name: "OperationLog",
  description: "What became of one operation of a bulk task.",
  fields: {
    id: { type: id },
    operationId: { type: id, description: "The bulk task." },
    index: { type: whole, description: "The operation's place in the file, from 0." },
    ref: { type: GraphQLString, description: "The operation's `_ref`." },
    intent: { type: text },
    status: { type: new GraphQLNonNull(OperationStatus) },
    statusCode: { type: whole },
    errorName: {
      type: GraphQLString,
      description:
        "The name of the failure, as the mutation has it; null on success, and where an old entry does not tell.",
    },
    action: {
      type: GraphQLString,
      description: "created, updated, unchanged, deleted, published or unpublished.",
    },
    message: { type: GraphQLString, description: "What was done, or what was wrong." },
    input: { type: GraphQLJson, description: "The operation as written." },
    command: {
      type: GraphQLJson,
      description:
        "What was executed: the input with its templates rendered; as written where one of them could not be.",
    },
    output: { type: GraphQLJson, description: "What later operations can refer to." },
    errors: { type: GraphQLJson, description: "What was wrong: a list of {code, message, path}." },
    startedAt: { type: new GraphQLNonNull(GraphQLDateTime) },
    durationMs: { type: new GraphQLNonNull(GraphQLFloat) },
  },
});

const OperationLogFilter = new GraphQLInputObjectType({
  name: "OperationLogFilter",
  description: "What is given must all hold.",
  fields: {
    operationId: { type: id, description: "The bulk task." },
    status: { type: OperationStatus },
    operationTypeStartsWith: {
      type: GraphQLString,
      description: "The beginning of an intent, such as `product/`.",
    },
  },
});

export const operationLogQueries = {
  operationLogs: plainField<PageArguments & { filter: LogFilter }>({
    type: connection(OperationLog),
    description: "The log of a bulk task, in the order of its operations.",
    args: { filter: { type: new GraphQLNonNull(OperationLogFilter) }, ...forwardArguments },
    async resolve({ filter, ...given }, { services, tenant }) {
      const request = { ...pageRequest(given), after: positionAfter(given.after) };
      const page = await listLogs(services.database, tenant.id, filter, request);
      const known =
        page.nodes.length > 0 || (await findTask(services.database, tenant.id, filter.operationId));
      if (!known) reject("BulkTaskNotFoundError", `No bulk task has the id "${filter.operationId}"`);
      return { page, after: given.after };
    },
  }),
};
