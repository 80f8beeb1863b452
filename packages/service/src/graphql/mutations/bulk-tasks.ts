import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import { longestRetention } from "../../settings/settings.ts";
import { daysAhead } from "../../storage/bulk-tasks/dated.ts";
import { acceptAppliedFile } from "../../tasks/applied-files.ts";
import { cancelTask } from "../../tasks/cancel.ts";
import { createTask } from "../../tasks/create.ts";
import { holdTask, resumeTask } from "../../tasks/hold.ts";
import type { NewTask } from "../../tasks/new-task.ts";
import { pictureLimits } from "../../tasks/pictures.ts";
import { pruneTasks } from "../../tasks/prune.ts";
import { defaultInclude, type NewRetry, retryTask } from "../../tasks/retries/retry.ts";
import { scheduleTask } from "../../tasks/schedule.ts";
import { startTask } from "../../tasks/start.ts";
import { type NewUndo, undoTask } from "../../tasks/undo.ts";
import { may } from "../../tenants/rights.ts";
import { type ApiServices, callerOf } from "../context.ts";
import { boolean, id, integer, text } from "../derive/non-null.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { forArgument, forOwnPlan } from "../field-rights.ts";
import { writeField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { AppliedFileType } from "../types/task/applied-file.ts";
import {
  BulkTaskKindEnum,
  BulkTaskMassOperation,
  OnFailureEnum,
  RetriedOutcomeEnum,
} from "../types/task/bulk-task.ts";

/** Time limit of one pruning call, in milliseconds. */
const pruneTime = 5_000;

const PrunedBulkTasks = new GraphQLObjectType({
  name: "PrunedBulkTasks",
  description: "The numbers of tasks and entries that this call removed.",
  fields: {
    tasks: { type: integer },
    entries: { type: integer, description: "Entries of operation logs." },
    hasMore: {
      type: boolean,
      description: "A call removes for some seconds; call again while this is true.",
    },
  },
});

/** Fields of an input that creates a task: when the task is held automatically. */
const holdFields = {
  holdAfter: {
    type: GraphQLInt,
    description: "Holds the task after this many operations: a canary. Default: not held.",
  },
  holdOnFailures: {
    type: GraphQLInt,
    description:
      "Holds the task whenever this many operations have failed since it was started or resumed. Default: not held.",
  },
};
const maxFailures =
  "Maximum number of failed operations; one more ends the task in `error`. Default: unlimited.";
const idempotencyKey =
  "Idempotency key: repeating the call returns the first call's task; a different call is refused.";

const Picture = new GraphQLInputObjectType({
  name: "PictureInput",
  description: "A picture of a mass operation file.",
  fields: {
    path: { type: text, description: "The path in the file, such as `./images/sencha.jpg`." },
    key: {
      type: text,
      description: "The value of the upload form's field named `key`, or the key of an image.",
    },
  },
});

const CreateInput = new GraphQLInputObjectType({
  name: "CreateMassOperationBulkTaskInput",
  fields: {
    key: {
      type: GraphQLString,
      description: 'The value of the upload form\'s field named "key". Default: the file of `plan`.',
    },
    plan: {
      type: GraphQLID,
      description:
        "The plan that a run follows, for the same file: an operation that deviates from it fails. Default: none.",
    },
    kind: {
      type: BulkTaskKindEnum,
      description: "`run`, the default, or `plan`: a plan previews a run without changing the tenant's data.",
    },
    autoStart: { type: GraphQLBoolean, description: "Starts the task immediately. Default false." },
    startAt: {
      type: GraphQLDateTime,
      description:
        "Starts the task at this time, with an offset or `Z`, by the database's clock; until then it is `pending`. " +
        `At most ${daysAhead} days ahead.`,
    },
    maxFailures: { type: GraphQLInt, description: maxFailures },
    onFailure: {
      type: OnFailureEnum,
      description:
        "`UNDO`: when more operations fail than `maxFailures` (default 0 then, and partial ones count), the run ends, " +
        "and the task that undoes it begins. Default: what was executed stays.",
    },
    ...holdFields,
    strict: {
      type: GraphQLBoolean,
      description:
        "Every warning about the file is an error: the task ends in `error`, and nothing is executed. Default false.",
    },
    idempotencyKey: { type: GraphQLString, description: idempotencyKey },
    appliedAs: {
      type: GraphQLString,
      description:
        "The name of the file in a folder whose files are applied once, which `appliedFiles` lists. Default: none.",
    },
    pictures: {
      type: new GraphQLList(new GraphQLNonNull(Picture)),
      description:
        "What the paths stand for that `upload` names in the file; retries and runs that follow the plan have the same. " +
        `At most ${pictureLimits.paths.toLocaleString("en")}. Default: none.`,
    },
    webhookUrl: {
      type: GraphQLString,
      description:
        "The URL notified when the task ends; not of a plan. Default: the URL of the tenant's webhook.",
    },
  },
});

export const bulkTaskMutations = {
  createMassOperationBulkTask: writeField<{ input: NewTask }>({
    type: resultUnion("CreateMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Registers an uploaded mass operation file as a task.",
    args: { input: { type: new GraphQLNonNull(CreateInput) } },
    exception: forArgument("plan", "kind", "plan"),
    resolve: ({ input }, context) => {
      const planner = may(context.accessToken, "write") ? {} : { plannerId: context.accessToken.id };
      return createTask(context.services, context.tenant, { ...input, ...planner }, callerOf(context));
    },
  }),
  startMassOperationBulkTask: writeField<{ id: string }>({
    type: resultUnion("StartMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Starts a pending task.",
    args: { id: { type: id } },
    exception: forOwnPlan("plan", ({ id }) => id),
    resolve: (given, context) =>
      startTask(context.services.database, context.tenant.id, given.id, callerOf(context)),
  }),
  scheduleBulkTask: writeField<{ id: string; startAt?: string | null }>({
    type: resultUnion("ScheduleBulkTaskResult", [BulkTaskMassOperation]),
    description: "Gives a pending task another `startAt`, or removes it.",
    args: {
      id: { type: id },
      startAt: { type: GraphQLDateTime, description: "Null: it starts on request. Required." },
    },
    resolve: ({ startAt, ...given }, context) => {
      // A variable that is misspelt must not remove the date.
      if (startAt === undefined)
        reject("ValidationError", "startAt is missing: give a date, or null to remove it", ["startAt"]);
      return scheduleTask(
        context.services.database,
        context.tenant.id,
        { ...given, startAt },
        callerOf(context),
      );
    },
  }),
  retryBulkTask: writeField<NewRetry>({
    type: resultUnion("RetryBulkTaskResult", [BulkTaskMassOperation]),
    description:
      "Creates a task that retries operations of an ended one, from the same file: those that failed, and those " +
      "that were not attempted. Templates read the results of the earlier task for operations that are not retried.",
    args: {
      id: { type: id, description: "The task to retry; a retry can be retried, too." },
      include: {
        type: new GraphQLList(new GraphQLNonNull(RetriedOutcomeEnum)),
        description: `The outcomes of the operations to retry. Default ${defaultInclude.join(" and ")}.`,
      },
      autoStart: { type: GraphQLBoolean, description: "Starts the task immediately. Default false." },
      maxFailures: { type: GraphQLInt, description: maxFailures },
      ...holdFields,
      idempotencyKey: { type: GraphQLString, description: idempotencyKey },
    },
    resolve: (given, context) => retryTask(context.services, context.tenant, given, callerOf(context)),
  }),
  cancelMassOperationBulkTask: writeField<{ id: string }>({
    type: resultUnion("CancelMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Ends a task that has not ended: committed operations stay, the rest is not attempted.",
    args: { id: { type: id } },
    exception: forOwnPlan("plan", ({ id }) => id),
    resolve: (given, context) =>
      cancelTask(context.services.database, context.tenant.id, given.id, callerOf(context)),
  }),
  holdBulkTask: writeField<{ id: string }>({
    type: resultUnion("HoldBulkTaskResult", [BulkTaskMassOperation]),
    description:
      "Pauses a task after its current batch. It keeps its place in the queue until it is resumed or cancelled.",
    args: { id: { type: id } },
    resolve: (given, context) =>
      holdTask(context.services.database, context.tenant.id, given.id, callerOf(context)),
  }),
  resumeBulkTask: writeField<{ id: string }>({
    type: resultUnion("ResumeBulkTaskResult", [BulkTaskMassOperation]),
    description: "Resumes a held task at the operation where it was held.",
    args: { id: { type: id } },
    resolve: (given, context) =>
      resumeTask(context.services.database, context.tenant.id, given.id, callerOf(context)),
  }),
  undoBulkTask: writeField<NewUndo>({
    type: resultUnion("UndoBulkTaskResult", [BulkTaskMassOperation]),
    description:
      "Creates a task that undoes another one, from its last operation to its first. Operations whose rows were " +
      "changed since are not undone, and logged as failures.",
    args: {
      id: { type: id, description: "The task to undo. It must have ended." },
      plan: {
        type: GraphQLBoolean,
        description:
          "True creates a task of kind `plan`, which previews the undo without changing the tenant's data. " +
          "Default false.",
      },
      autoStart: { type: GraphQLBoolean, description: "Starts the task immediately. Default false." },
      maxFailures: { type: GraphQLInt, description: maxFailures },
      ...holdFields,
      idempotencyKey: { type: GraphQLString, description: idempotencyKey },
    },
    resolve: (given, context) =>
      undoTask(context.services.database, context.tenant, given, callerOf(context)),
  }),
  acceptAppliedFile: writeField<{ name: string; sha256: string }>({
    type: resultUnion("AcceptAppliedFileResult", [AppliedFileType]),
    description: "Lets a file that has changed or failed count as applied; executes nothing.",
    args: { name: { type: text }, sha256: { type: text, description: "SHA-256 of the file as it is." } },
    resolve: (given, context) =>
      acceptAppliedFile(context.services.database, context.tenant.id, given, callerOf(context)),
  }),
  pruneBulkTasks: writeField<{ olderThanDays: number }>({
    type: resultUnion("PruneBulkTasksResult", [PrunedBulkTasks]),
    description:
      "Removes logs, issues and files of tasks that ended more than this many days ago; the tasks stay.",
    args: { olderThanDays: { type: integer, description: `From 0 to ${longestRetention}.` } },
    resolve: ({ olderThanDays }, { services, tenant }) => prune(services, tenant.id, olderThanDays),
  }),
};

function prune(services: ApiServices, tenantId: string, olderThanDays: number) {
  if (olderThanDays < 0 || olderThanDays > longestRetention)
    reject("ValidationError", `olderThanDays is ${olderThanDays}: it must be from 0 to ${longestRetention}`, [
      "olderThanDays",
    ]);
  const until = performance.now() + pruneTime;
  return pruneTasks(services, { olderThanDays, tenantId, over: () => performance.now() > until });
}
