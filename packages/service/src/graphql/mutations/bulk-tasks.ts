import {
  GraphQLBoolean,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import { cancelTask } from "../../tasks/cancel.ts";
import { createTask } from "../../tasks/create.ts";
import type { NewTask } from "../../tasks/new-task.ts";
import { pruneTasks } from "../../tasks/prune.ts";
import { startTask } from "../../tasks/start.ts";
import { type ApiServices, auditorOf } from "../context.ts";
import { boolean, id, integer, text } from "../derive/non-null.ts";
import { adminField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { BulkTaskMassOperation } from "../types/task/bulk-task.ts";

/** Time that one call prunes for, in milliseconds. */
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

const CreateInput = new GraphQLInputObjectType({
  name: "CreateMassOperationBulkTaskInput",
  fields: {
    key: { type: text, description: 'The value of the upload form\'s field named "key".' },
    autoStart: { type: GraphQLBoolean, description: "Starts the task at once. Default false." },
    maxFailures: {
      type: GraphQLInt,
      description:
        "The most operations that may fail; one more ends the task in `error`. Default: any number.",
    },
    strict: {
      type: GraphQLBoolean,
      description:
        "Every warning about the file is an error: the task ends in `error`, and nothing is executed. Default false.",
    },
    idempotencyKey: {
      type: GraphQLString,
      description:
        "The same call again returns the task of the first and changes nothing; a call that differs is refused.",
    },
  },
});

export const bulkTaskMutations = {
  createMassOperationBulkTask: adminField<{ input: NewTask }>({
    type: resultUnion("CreateMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Registers an uploaded mass operation file as a task.",
    args: { input: { type: new GraphQLNonNull(CreateInput) } },
    resolve: ({ input }, context) => createTask(context.services, context.tenant, input, auditorOf(context)),
  }),
  startMassOperationBulkTask: adminField<{ id: string }>({
    type: resultUnion("StartMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Starts a pending task.",
    args: { id: { type: id } },
    resolve: (given, context) =>
      startTask(context.services.database, context.tenant.id, given.id, auditorOf(context)),
  }),
  cancelMassOperationBulkTask: adminField<{ id: string }>({
    type: resultUnion("CancelMassOperationBulkTaskResult", [BulkTaskMassOperation]),
    description: "Ends a task that has not ended: what was executed stays, the rest is not attempted.",
    args: { id: { type: id } },
    resolve: (given, context) =>
      cancelTask(context.services.database, context.tenant.id, given.id, auditorOf(context)),
  }),
  pruneBulkTasks: adminField<{ olderThanDays: number }>({
    type: resultUnion("PruneBulkTasksResult", [PrunedBulkTasks]),
    description: "Removes logs, issues and files of tasks that ended so many days ago; the tasks stay.",
    args: { olderThanDays: { type: integer } },
    resolve: ({ olderThanDays }, { services, tenant }) => prune(services, tenant.id, olderThanDays),
  }),
};

function prune(services: ApiServices, tenantId: string, olderThanDays: number) {
  if (olderThanDays < 0)
    reject("ValidationError", `olderThanDays is ${olderThanDays}: it must be 0 or more`, ["olderThanDays"]);
  const until = performance.now() + pruneTime;
  return pruneTasks(services, { olderThanDays, tenantId, over: () => performance.now() > until });
}
