import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { OperationLog as LogEntry } from "../../../tasks/logs.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/lenient-enum.ts";
import { float, id, integer, text, time } from "../../derive/non-null.ts";
import { GraphQLJson } from "../../derive/scalars.ts";

export const OperationStatus = lenientEnum("OperationStatus", ["success", "partial", "failure"]);

export const OperationLog = new GraphQLObjectType<LogEntry, CoreContext>({
  name: "OperationLog",
  description: "What became of one operation of a bulk task.",
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
    startedAt: { type: time },
    durationMs: { type: float },
  },
});
