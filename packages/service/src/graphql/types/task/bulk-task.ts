import { actions } from "@lading/schema";
import { GraphQLFloat, GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { BulkTaskStatus } from "../../../storage/bulk-tasks/status.ts";
import type { BulkTask } from "../../../tasks/bulk-task.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/lenient-enum.ts";
import { boolean, id, integer, text, time } from "../../derive/non-null.ts";
import { GraphQLDateTime } from "../../derive/scalars.ts";
import {
  connection,
  forwardArguments,
  type PageArguments,
  pageRequest,
  positionAfter,
} from "../connection.ts";
import { resultUnion } from "../result-union.ts";

const statuses = ["pending", "started", "running", "complete", "error"] as const satisfies BulkTaskStatus[];
export const BulkTaskStatusEnum = lenientEnum("BulkTaskStatus", statuses);
export const BulkTaskType = lenientEnum("BulkTaskType", ["massOperation"]);

const Issue = new GraphQLObjectType({
  name: "BulkTaskIssue",
  description: "A finding of the validation at one place of the file.",
  fields: {
    severity: { type: new GraphQLNonNull(lenientEnum("IssueSeverity", ["error", "warning"])) },
    code: { type: text },
    message: { type: text },
    pointer: { type: text, description: "JSON pointer (RFC 6901) into the file." },
    operationIndex: { type: GraphQLInt, description: "From 0; null outside the operations." },
    intent: { type: GraphQLString },
    ref: { type: GraphQLString, description: "The operation's `_ref`." },
    line: { type: GraphQLInt, description: "From 1." },
    column: { type: GraphQLInt, description: "From 1, in UTF-16 code units." },
  },
});

const Info = new GraphQLObjectType({
  name: "BulkTaskInfo",
  description: "The reason why the task itself failed.",
  fields: { error: { type: text }, errorName: { type: text }, stack: { type: GraphQLString } },
});

const counted =
  "Operations that did this, wholly or in part; null for a task that ended before these were counted.";

const Progress = new GraphQLObjectType({
  name: "BulkTaskProgress",
  fields: {
    total: { type: GraphQLInt, description: "Operations in the file; null until it has been read." },
    processed: { type: integer },
    succeeded: { type: integer },
    partial: { type: integer },
    failed: { type: integer },
    ...Object.fromEntries(actions.map((action) => [action, { type: GraphQLInt, description: counted }])),
    waitingFor: { type: GraphQLString, description: "The reason why a task is not running yet." },
    startedAt: {
      type: GraphQLDateTime,
      description: "The time just before the first operation was executed.",
    },
    updatedAt: { type: GraphQLDateTime, description: "The time of the latest commit of operations." },
    finishedAt: { type: GraphQLDateTime },
    operationsPerSecond: { type: GraphQLFloat, description: "From `startedAt` to `updatedAt`." },
    secondsLeft: { type: GraphQLFloat, description: "At that rate; null unless the task is running." },
  },
});

export const BulkTaskMassOperation = new GraphQLObjectType<BulkTask, CoreContext>({
  name: "BulkTaskMassOperation",
  fields: {
    id: { type: id },
    type: { type: new GraphQLNonNull(BulkTaskType) },
    status: { type: new GraphQLNonNull(BulkTaskStatusEnum) },
    key: { type: text },
    info: { type: Info },
    progress: { type: new GraphQLNonNull(Progress) },
    issues: {
      type: new GraphQLNonNull(connection(Issue)),
      description: "Errors first; at most 1,000 are listed, `errorCount` and `warningCount` count all.",
      args: forwardArguments,
      async resolve(task, given: PageArguments, { loaders }) {
        const request = { ...pageRequest(given), after: positionAfter(given.after) };
        return { page: await loaders.issues(task.id, request), after: given.after };
      },
    },
    errorCount: { type: integer },
    warningCount: { type: integer },
    maxFailures: { type: GraphQLInt, description: "The most operations that may fail; null: any number." },
    strict: {
      type: boolean,
      description: "True: every warning about the file is an error.",
    },
    sha256: { type: GraphQLString, description: "The digest of the file; null until it has been read." },
    prunedAt: { type: GraphQLDateTime, description: "The time at which its log and its file were removed." },
    createdAt: { type: time },
    startedAt: { type: GraphQLDateTime },
    endedAt: { type: GraphQLDateTime },
  },
});

export const BulkTaskResult = resultUnion("BulkTaskResult", [BulkTaskMassOperation]);
