import { GraphQLBoolean } from "graphql";
import { reject } from "../../errors.ts";
import type { TaskFilter } from "../../storage/bulk-tasks/find.ts";
import { findTask, listTasks, taskNotFound } from "../../tasks/find.ts";
import { filterType } from "../derive/input-types.ts";
import { id } from "../derive/non-null.ts";
import { plainField, resultField } from "../root-fields.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "../types/connection.ts";
import {
  BulkTaskKindEnum,
  BulkTaskMassOperation,
  BulkTaskResult,
  BulkTaskStatusEnum,
  BulkTaskType,
} from "../types/task/bulk-task.ts";

const BulkTaskFilter = filterType("BulkTaskFilter", {
  type: { type: BulkTaskType },
  status: { type: BulkTaskStatusEnum },
  kind: { type: BulkTaskKindEnum, description: "By default, plans are not listed." },
  held: { type: GraphQLBoolean, description: "true: only tasks that are held; false: only others." },
});

interface ListArguments extends PageArguments {
  filter?: (TaskFilter & { type?: string | null }) | null;
}

export const bulkTaskQueries = {
  bulkTask: resultField<{ id: string }>({
    type: BulkTaskResult,
    description: "A bulk task: its status, progress and issues.",
    args: { id: { type: id } },
    resolve: async (given, { services, tenant }) =>
      (await findTask(services.database, tenant.id, given.id)) ??
      reject("BulkTaskNotFoundError", taskNotFound(given.id), ["id"]),
  }),
  bulkTasks: plainField<ListArguments>({
    type: connection(BulkTaskMassOperation, "BulkTask"),
    description: "The tenant's bulk tasks, newest first; without plans, unless the filter names that kind.",
    args: { filter: { type: BulkTaskFilter }, ...forwardArguments },
    async resolve({ filter, ...given }, { services, tenant }) {
      const page = await listTasks(
        services.database,
        tenant.id,
        { status: filter?.status, kind: filter?.kind, held: filter?.held },
        pageRequest(given),
      );
      return { page, after: given.after };
    },
  }),
};
