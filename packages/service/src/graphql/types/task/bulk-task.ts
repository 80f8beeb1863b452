import { actions, bulkTaskKinds, bulkTaskStatuses } from "@lading/schema/internal";
import {
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../../errors.ts";
import { onFailures } from "../../../storage/bulk-tasks/claims/claimed-task.ts";
import { retriedOutcomes } from "../../../storage/bulk-tasks/retries/retry-chain.ts";
import type { BulkTask } from "../../../tasks/bulk-task.ts";
import { may } from "../../../tenants/rights.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/input-types.ts";
import { boolean, id, integer, listOf, text, time } from "../../derive/non-null.ts";
import { GraphQLDateTime, GraphQLJson } from "../../derive/scalars.ts";
import { readsMuch } from "../../validation/query-limits.ts";
import {
  connection,
  forwardArguments,
  type PageArguments,
  pageRequest,
  positionAfter,
} from "../connection.ts";
import { resultUnion } from "../result-union.ts";
import { operationFields, refuseSubscription } from "./operation-fields.ts";

export const BulkTaskStatusEnum = lenientEnum("BulkTaskStatus", bulkTaskStatuses);
export const BulkTaskKindEnum = lenientEnum("BulkTaskKind", bulkTaskKinds);
export const RetriedOutcomeEnum = lenientEnum("RetriedOutcome", retriedOutcomes);
export const OnFailureEnum = lenientEnum("OnFailure", onFailures);
export const BulkTaskType = lenientEnum("BulkTaskType", ["massOperation"]);

const Issue = new GraphQLObjectType({
  name: "BulkTaskIssue",
  description: "An issue that validation found at one position of the file.",
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
    offset: { type: GraphQLFloat, description: "The byte offset in the file." },
  },
});

const Info = new GraphQLObjectType({
  name: "BulkTaskInfo",
  description: "Why the task itself failed.",
  fields: { error: { type: text }, errorName: { type: text }, stack: { type: GraphQLString } },
});

const Progress = new GraphQLObjectType({
  name: "BulkTaskProgress",
  fields: {
    total: { type: GraphQLInt, description: "Operations in the file; null until it has been read." },
    processed: { type: integer },
    succeeded: { type: integer },
    partial: { type: integer },
    failed: { type: integer },
    skipped: {
      type: integer,
      description: "Processed operations that were skipped: in a retry, most are.",
    },
    toExecute: {
      type: GraphQLInt,
      description: "Operations to execute: in a retry, the selected ones; otherwise all.",
    },
    repaired: {
      type: integer,
      description: "Failed and partial operations that a retry has executed successfully since.",
    },
    ...Object.fromEntries(
      actions.map((action) => [
        action,
        { type: integer, description: "Operations that did this, at least in part." },
      ]),
    ),
    waitingFor: { type: GraphQLString, description: "Why a task is not running yet." },
    startedAt: {
      type: GraphQLDateTime,
      description: "The time just before the first operation was executed.",
    },
    updatedAt: { type: GraphQLDateTime, description: "The time of the latest commit of operations." },
    finishedAt: { type: GraphQLDateTime },
    operationsPerSecond: { type: GraphQLFloat, description: "Executed from `startedAt` to `updatedAt`." },
    secondsLeft: { type: GraphQLFloat, description: "At that rate; null unless the task is running." },
  },
});

const TopFailureType = new GraphQLObjectType({
  name: "BulkTaskTopFailure",
  fields: {
    cause: { type: text, description: "As in `failureGroups`." },
    count: { type: integer, description: "The number of failed and partial operations." },
  },
});

const sums = (description: string) => ({ type: new GraphQLNonNull(GraphQLJson), description });

const DestructiveChangesType = new GraphQLObjectType({
  name: "BulkTaskDestructiveChanges",
  fields: {
    deleted: sums("Operations that would delete something, by intent."),
    removed: sums(
      "Parts that lists would lose, such as `variants` and `stockLocations`; `more` counts any kind.",
    ),
    orphaned: sums("Items with content in components that their shape would lose, by component."),
    orphanedMore: {
      type: boolean,
      description: "True: there is more orphaned content than counted.",
    },
  },
});

/** Fields that say when a task ends or is held before its last operation. */
const limitFields = {
  maxFailures: { type: GraphQLInt, description: "Maximum number of failed operations; null: unlimited." },
  onFailure: {
    type: OnFailureEnum,
    description: "What begins when it fails: `undoneBy` names the undo then. Null: nothing.",
  },
  holdAfter: {
    type: GraphQLInt,
    description: "The number of operations after which it is held; null: none, or it was already held.",
  },
  holdOnFailures: {
    type: GraphQLInt,
    description: "Held whenever this many operations have failed since it was last resumed; null: never.",
  },
  heldAt: { type: GraphQLDateTime, description: "When it was held; null if it isn't." },
};

/** Fields that say who made it. */
const makerFields: GraphQLFieldConfigMap<BulkTask, CoreContext> = {
  createdAt: { type: time },
  createdBy: {
    type: text,
    description: "The name of the access token or person that created the task, or `operator`.",
  },
  isOwnPlan: {
    type: boolean,
    description:
      "True for the plan of a file that the caller created with the role planner, and so may start and cancel.",
    resolve: ({ plannerId }, _given, { accessToken }) =>
      may(accessToken, "plan") && plannerId === accessToken.id,
  },
};

const followUpFields = (): GraphQLFieldConfigMap<BulkTask, CoreContext> => ({
  retries: {
    type: listOf(BulkTaskMassOperation),
    description:
      "The retries of the task: its own, that of the retry, and so on. Not of a task listed in `retries`.",
    extensions: readsMuch(),
    async resolve({ id }, _arguments, { loaders }, { operation, path }) {
      refuseSubscription(operation, "retries");
      if (path.prev?.prev?.typename === BulkTaskMassOperation.name)
        reject("ValidationError", "retries cannot be asked of a task listed in retries: that list has them");
      return (await loaders.retries(id)) ?? [];
    },
  },
  followedBy: {
    type: GraphQLID,
    description:
      "The newest run that follows this plan, unless it has ended before its first operation; null if there is none.",
  },
  undoneBy: {
    type: GraphQLID,
    description: "The newest task that undoes this one, whether it has ended or not; null if there is none.",
  },
});

export const BulkTaskMassOperation: GraphQLObjectType<BulkTask, CoreContext> = new GraphQLObjectType<
  BulkTask,
  CoreContext
>({
  name: "BulkTaskMassOperation",
  fields: () => ({
    id: { type: id },
    type: { type: new GraphQLNonNull(BulkTaskType) },
    kind: { type: new GraphQLNonNull(BulkTaskKindEnum) },
    ofTask: {
      type: GraphQLID,
      description: "The task to retry, undo or plan to undo, or the plan of a run.",
    },
    ...followUpFields(),
    status: { type: new GraphQLNonNull(BulkTaskStatusEnum) },
    key: { type: text },
    info: { type: Info },
    destructive: {
      type: DestructiveChangesType,
      description: "For a plan: totals of what its operations would remove; null if nothing.",
    },
    progress: { type: new GraphQLNonNull(Progress) },
    topFailure: {
      type: TopFailureType,
      description:
        "The most frequent cause of its failures when it ended, of `FailedDependency` only if there was no other; null " +
        "without failures.",
    },
    issues: {
      type: new GraphQLNonNull(connection(Issue)),
      description: "Errors first; at most 1,000 are listed, `errorCount` and `warningCount` count all.",
      args: forwardArguments,
      async resolve(task, given: PageArguments, { loaders }, { operation }) {
        refuseSubscription(operation, "issues");
        const request = { ...pageRequest(given), after: positionAfter(given.after) };
        return { page: await loaders.issues(task.id, request), after: given.after };
      },
    },
    ...operationFields,
    errorCount: { type: integer },
    warningCount: { type: integer },
    ...limitFields,
    include: {
      type: new GraphQLList(new GraphQLNonNull(RetriedOutcomeEnum)),
      description: "The outcomes of the operations that a retry retries; null for other kinds.",
    },
    strict: {
      type: boolean,
      description: "True: every warning about the file is an error.",
    },
    sha256: { type: GraphQLString, description: "The digest of the file; null until it has been read." },
    appliedAs: {
      type: GraphQLString,
      description:
        "The name of the file in a folder whose files are applied once, which `appliedFiles` lists.",
    },
    prunedAt: { type: GraphQLDateTime, description: "When its log and its file were removed." },
    ...makerFields,
    startAt: {
      type: GraphQLDateTime,
      description: "When a pending task starts by itself; null: on request. Stays when it has started.",
    },
    startedAt: { type: GraphQLDateTime },
    endedAt: { type: GraphQLDateTime },
  }),
});

export const BulkTaskResult = resultUnion("BulkTaskResult", [BulkTaskMassOperation]);
