import { actions } from "@lading/schema";
import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { operationStatuses } from "../../../storage/task-details/operation-logs.ts";
import type { OperationLog as LogEntry } from "../../../tasks/logs.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/lenient-enum.ts";
import { float, id, integer, text, time } from "../../derive/non-null.ts";
import { GraphQLJson } from "../../derive/scalars.ts";

export const OperationStatus = lenientEnum("OperationStatus", operationStatuses);

export const OperationAction = lenientEnum("OperationAction", actions);

export const OperationLog = new GraphQLObjectType<LogEntry, CoreContext>({
  name: "OperationLog",
  description: "The result of one operation of a bulk task.",
  fields: {
    id: { type: id },
    operationId: { type: id, description: "The bulk task." },
    index: { type: integer, description: "The operation's place in the file, from 0." },
    ref: { type: GraphQLString, description: "The operation's `_ref`." },
    intent: { type: text },
    status: { type: new GraphQLNonNull(OperationStatus) },
    statusCode: { type: integer },
    errorName: {
      type: GraphQLString,
      description:
        "The name of the error, as the mutation returns it; null on success, and in old entries without it.",
    },
    action: {
      type: GraphQLString,
      description: "created, updated, unchanged, deleted, published or unpublished.",
    },
    message: { type: GraphQLString, description: "The change that was made, or the reason for the failure." },
    input: { type: GraphQLJson, description: "The operation as written." },
    command: {
      type: GraphQLJson,
      description:
        "The input as it was executed, with its templates rendered; as written where one could not be rendered.",
    },
    output: { type: GraphQLJson, description: "The values that later operations can refer to." },
    errors: { type: GraphQLJson, description: "The errors: a list of {code, message, path}." },
    startedAt: { type: time },
    durationMs: { type: float },
  },
});
