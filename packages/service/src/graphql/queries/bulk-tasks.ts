import { GraphQLBoolean, GraphQLInt, GraphQLNonNull, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import { searchedTasks, type TaskFilter } from "../../storage/bulk-tasks/find.ts";
import { activityHours } from "../../storage/bulk-tasks/overview.ts";
import { listAppliedFiles } from "../../tasks/applied-files.ts";
import { findTask, listTasks, taskNotFound } from "../../tasks/find.ts";
import { taskOverview } from "../../tasks/overview.ts";
import { filterType } from "../derive/input-types.ts";
import { id, listOf } from "../derive/non-null.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { countRead } from "../execution/counted-schema.ts";
import { plainField, resultField } from "../root-fields.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "../types/connection.ts";
import { AppliedFileType } from "../types/task/applied-file.ts";
import {
  BulkTaskKindEnum,
  BulkTaskMassOperation,
  BulkTaskResult,
  BulkTaskStatusEnum,
  BulkTaskType,
} from "../types/task/bulk-task.ts";
import { BulkTaskViewEnum, TaskActivityHour, TaskOverviewType } from "../types/task/overview.ts";
import { readsMuch } from "../validation/query-limits.ts";

const BulkTaskFilter = filterType("BulkTaskFilter", {
  type: { type: BulkTaskType },
  status: { type: BulkTaskStatusEnum },
  kind: { type: BulkTaskKindEnum, description: "By default, plans are not listed, but in a view." },
  held: { type: GraphQLBoolean, description: "true: only tasks that are held; false: only others." },
  view: { type: BulkTaskViewEnum },
  text: {
    type: GraphQLString,
    description:
      "A part of the file's name or of `createdBy`, or the beginning of the id, ignoring case. Looks at the newest " +
      `${searchedTasks.toLocaleString("en")} tasks of the tenant, or at as many before \`createdBefore\`.`,
  },
  createdFrom: { type: GraphQLDateTime, description: "Only tasks created then or later." },
  createdBefore: { type: GraphQLDateTime, description: "Only tasks created before." },
});

/** The longest text of a filter, in UTF-16 units. */
export const longestTaskText = 200;

/** The last hours that an answer of `taskActivity` has at most: 8 days. */
export const mostActivityHours = 192;

interface GivenFilter extends Omit<TaskFilter, "createdFrom" | "createdBefore"> {
  createdFrom?: string | null;
  createdBefore?: string | null;
}

interface ListArguments extends PageArguments {
  filter?: (GivenFilter & { type?: string | null }) | null;
}

/** Reads the filter of a request. Rejects with `ValidationError` a text that is too long, and an invalid time. */
function taskFilter({ text, createdFrom, createdBefore, ...filter }: GivenFilter): TaskFilter {
  if (text && text.length > longestTaskText)
    reject("ValidationError", `filter.text has ${text.length} characters; the limit is ${longestTaskText}`, [
      ...["filter", "text"],
    ]);
  const { status, kind, held, view } = filter;
  return {
    ...{ status, kind, held, view, text: text || null },
    createdFrom: timeOf(createdFrom, "createdFrom"),
    createdBefore: timeOf(createdBefore, "createdBefore"),
  };
}

/** The last millisecond of the year 9999, later than which no database has a time. */
const lastTime = 253_402_300_799_999;

function timeOf(given: string | null | undefined, field: string): number | null {
  if (given === null || given === undefined) return null;
  const time = Date.parse(given);
  if (!Number.isNaN(time)) return Math.min(Math.max(time, 0), lastTime);
  const message = `filter.${field} is "${given}"; it must be a date and time such as 2026-01-31T12:00:00Z`;
  return reject("ValidationError", message, ["filter", field]);
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
    description:
      "The tenant's bulk tasks, newest first; without plans, unless the filter names that kind or a view.",
    args: { filter: { type: BulkTaskFilter }, ...forwardArguments },
    extensions: readsMuch(({ filter }) => Boolean((filter as ListArguments["filter"])?.text)),
    async resolve({ filter, ...given }, { services, tenant }) {
      const page = await listTasks(
        services.database,
        tenant.id,
        taskFilter(filter ?? {}),
        pageRequest(given),
      );
      return { page, after: given.after };
    },
  }),
  appliedFiles: plainField<PageArguments>({
    type: connection(AppliedFileType),
    description: "The files that were applied from a folder, in the order of their names: each once.",
    args: forwardArguments,
    extensions: readsMuch(),
    async resolve(given, { services, tenant }) {
      const page = await listAppliedFiles(services.database, tenant.id, pageRequest(given));
      return { page, after: given.after };
    },
  }),
  taskOverview: plainField({
    type: new GraphQLNonNull(TaskOverviewType),
    description: "What the tenant's tasks do now, and which of them wait for a person.",
    async resolve(_given, context, info) {
      const overview = await taskOverview(context.services.database, context.tenant.id);
      countRead(context, info, [overview]);
      return overview;
    },
  }),
  taskActivity: plainField<{ hours: number | null }>({
    type: listOf(TaskActivityHour),
    description: "The operations that tasks executed in each of the last hours, oldest first; without plans.",
    args: {
      hours: {
        type: GraphQLInt,
        defaultValue: 24,
        description: `The number of hours, the current one included: 1 to ${mostActivityHours}.`,
      },
    },
    async resolve({ hours }, { services, tenant }) {
      const number = hours ?? 24;
      if (number < 1 || number > mostActivityHours)
        reject("ValidationError", `hours is ${number}; it must be 1 to ${mostActivityHours}`, ["hours"]);
      return activityHours(services.database, tenant.id, number);
    },
  }),
};
