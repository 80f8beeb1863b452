import { actions } from "@lading/schema";
import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { Rejection, reject } from "../../errors.ts";
import type { BulkTaskStatus } from "../../storage/bulk-tasks/status.ts";
import type { BulkTask } from "../../tasks/bulk-task.ts";
import { cancelTask } from "../../tasks/cancel.ts";
import { createTask, type NewTask } from "../../tasks/create.ts";
import { findTask, listTasks } from "../../tasks/find.ts";
import { pruneTasks } from "../../tasks/prune.ts";
import { startTask } from "../../tasks/start.ts";
import { watchTask } from "../../tasks/watch.ts";
import { type ApiServices, auditorOf, type CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/lenient-enum.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { adminField, outcomeField, plainField } from "../root-fields.ts";
import { checkArguments } from "../validation/check-arguments.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "./connection.ts";
import { type FailureSource, outcome } from "./errors.ts";
import { positionAfter } from "./position.ts";

const id = new GraphQLNonNull(GraphQLID);
const text = new GraphQLNonNull(GraphQLString);
const count = new GraphQLNonNull(GraphQLInt);

export const statuses = [
  "pending",
  "started",
  "running",
  "complete",
  "error",
] as const satisfies BulkTaskStatus[];
const BulkTaskStatusEnum = lenientEnum("BulkTaskStatus", statuses);
const BulkTaskType = lenientEnum("BulkTaskType", ["massOperation"]);

const Issue = new GraphQLObjectType({
  name: "BulkTaskIssue",
  description: "What validation found at one place of the file.",
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
  description: "Why the task itself failed.",
  fields: { error: { type: text }, errorName: { type: text }, stack: { type: GraphQLString } },
});

const counted =
  "Operations that did this, wholly or in part; null for a task that had ended before this was counted.";

const Progress = new GraphQLObjectType({
  name: "BulkTaskProgress",
  fields: {
    total: { type: GraphQLInt, description: "Operations in the file; null until it has been read." },
    processed: { type: count },
    succeeded: { type: count },
    partial: { type: count },
    failed: { type: count },
    ...Object.fromEntries(actions.map((action) => [action, { type: GraphQLInt, description: counted }])),
    waitingFor: { type: GraphQLString, description: "Why a task is not running yet." },
    startedAt: { type: GraphQLDateTime, description: "When the first operation was about to be executed." },
    updatedAt: { type: GraphQLDateTime, description: "When the last operations so far were committed." },
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
    errorCount: { type: count },
    warningCount: { type: count },
    maxFailures: { type: GraphQLInt, description: "How many operations may fail; null: any number." },
    strict: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: "Whether every warning about the file is an error.",
    },
    sha256: { type: GraphQLString, description: "Of the file; null until it has been read." },
    prunedAt: { type: GraphQLDateTime, description: "When its log and its file were removed." },
    createdAt: { type: new GraphQLNonNull(GraphQLDateTime) },
    startedAt: { type: GraphQLDateTime },
    endedAt: { type: GraphQLDateTime },
  },
});

const BulkTaskFilter = new GraphQLInputObjectType({
  name: "BulkTaskFilter",
  description: "What is given must all hold.",
  fields: { type: { type: BulkTaskType }, status: { type: BulkTaskStatusEnum } },
});

interface ListArguments extends PageArguments {
  filter?: { type?: string | null; status?: BulkTaskStatus | null } | null;
}

const BulkTaskResult = outcome("BulkTaskResult", [BulkTaskMassOperation]);

export const bulkTaskQueries = {
  bulkTask: outcomeField<{ id: string }>({
    type: BulkTaskResult,
    description: "A bulk task: its status, progress and issues.",
    args: { id: { type: id } },
    resolve: async (given, { services, tenant }) =>
      (await findTask(services.database, tenant.id, given.id)) ??
      reject("BulkTaskNotFoundError", `No bulk task has the id "${given.id}"`, ["id"]),
  }),
  bulkTasks: plainField<ListArguments>({
    type: connection(BulkTaskMassOperation, "BulkTask"),
    description: "The tenant's bulk tasks, newest first.",
    args: { filter: { type: BulkTaskFilter }, ...forwardArguments },
    async resolve({ filter, ...given }, { services, tenant }) {
      const page = await listTasks(
        services.database,
        tenant.id,
        { status: filter?.status },
        pageRequest(given),
      );
      return { page, after: given.after };
    },
  }),
};

/** How long one call prunes, in milliseconds. */
const pruneTime = 5_000;

const PrunedBulkTasks = new GraphQLObjectType({
  name: "PrunedBulkTasks",
  description: "What was removed by this call.",
  fields: {
    tasks: { type: count },
    entries: { type: count, description: "Entries of operation logs." },
    hasMore: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: "A call removes for some seconds; call again while this is true.",
    },
  },
});

const CreateInput = new GraphQLInputObjectType({
  name: "CreateMassOperationBulkTaskInput",
  fields: {
    key: { type: text, description: 'The value of the upload form\'s field named "key".' },
    autoStart: { type: GraphQLBoolean, description: "Starts the task at once. Default false." },
    maxFailures: {
      type: GraphQLInt,
      description: "How many operations may fail; one more ends the task in `error`. Default: any number.",
    },
    strict: {
      type: GraphQLBoolean,
      description:
        "Every warning about the file is an error: the task ends in `error`, and nothing is executed. Default false.",
    },
    idempotencyKey: {
      type: GraphQLString,
      description:
        "The same call again answers the task of the first and changes nothing; a call that differs is refused.",
    },
  },
});

export const bulkTaskMutations = {
  createMassOperationBulkTask: adminField<{ input: NewTask }>({
    type: outcome("CreateMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Registers an uploaded mass operation file as a task.",
    args: { input: { type: new GraphQLNonNull(CreateInput) } },
    resolve: ({ input }, context) => createTask(context.services, context.tenant, input, auditorOf(context)),
  }),
  startMassOperationBulkTask: adminField<{ id: string }>({
    type: outcome("StartMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Starts a pending task.",
    args: { id: { type: id } },
    resolve: (given, context) =>
      startTask(context.services.database, context.tenant.id, given.id, auditorOf(context)),
  }),
  cancelMassOperationBulkTask: adminField<{ id: string }>({
    type: outcome("CancelMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Ends a task that has not ended: what was executed stays, the rest is not attempted.",
    args: { id: { type: id } },
    resolve: (given, context) =>
      cancelTask(context.services.database, context.tenant.id, given.id, auditorOf(context)),
  }),
  pruneBulkTasks: adminField<{ olderThanDays: number }>({
    type: outcome("PruneBulkTasksResult", [PrunedBulkTasks]),
    description: "Removes logs, issues and files of tasks that ended so many days ago; the tasks stay.",
    args: { olderThanDays: { type: count } },
    resolve: ({ olderThanDays }, { services, tenant }) => prune(services, tenant.id, olderThanDays),
  }),
};

function prune(services: ApiServices, tenantId: string, olderThanDays: number) {
  if (olderThanDays < 0)
    reject("ValidationError", `olderThanDays is ${olderThanDays}: it must be 0 or more`, ["olderThanDays"]);
  const until = performance.now() + pruneTime;
  return pruneTasks(services, { olderThanDays, tenantId, over: () => performance.now() > until });
}

/** `bulkTask` whenever it has changed, until it has ended. */
export const bulkTaskSubscriptions: GraphQLFieldConfigMap<unknown, CoreContext> = {
  bulkTask: {
    type: BulkTaskResult,
    description: "The task now, whenever it has changed, and as it ended. Sent as server-sent events.",
    args: { id: { type: id } },
    subscribe: (_source, given: { id: string }, { services, tenant, clientIsGone }) =>
      taskOrFailure(given, watchTask(services.database, tenant.id, given.id, clientIsGone)),
    resolve: (task) => task,
  },
};

async function* taskOrFailure(
  input: { id: string },
  tasks: AsyncIterable<BulkTask>,
): AsyncGenerator<BulkTask | FailureSource> {
  let found = false;
  try {
    checkArguments(input, { id: { type: id } });
    for await (const task of tasks) {
      found = true;
      yield task;
    }
    if (!found) reject("BulkTaskNotFoundError", `No bulk task has the id "${input.id}"`);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    yield { rejection: error, input };
  }
}
