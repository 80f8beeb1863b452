import { GraphQLNonNull, GraphQLObjectType } from "graphql";
import { type BulkTaskView, bulkTaskViews } from "../../../storage/bulk-tasks/find.ts";
import { type ActivityHour, listLimits, mostCounted } from "../../../storage/bulk-tasks/overview.ts";
import type { TaskOverview } from "../../../tasks/overview.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/input-types.ts";
import { integer, listOf, time } from "../../derive/non-null.ts";
import { BulkTaskMassOperation } from "./bulk-task.ts";

const viewMeanings: Record<BulkTaskView, string> = {
  running: "Started, not ended and not held, plans included.",
  held: "Not ended, and held.",
  openFailures:
    "Ended runs and undos with failed or partial operations that no retry has repaired, neither undone as a whole nor pruned.",
  planned:
    "Complete plans that no run or undo has followed, or only runs that executed nothing; none that is pruned.",
};

export const BulkTaskViewEnum = lenientEnum("BulkTaskView", bulkTaskViews, viewMeanings);

const viewCounts = new GraphQLObjectType({
  name: "BulkTaskViewCounts",
  description: `The number of tasks in each view: ${mostCounted.toLocaleString("en")} stands for as many or more.`,
  fields: Object.fromEntries(bulkTaskViews.map((view) => [view, { type: integer }])),
});

const list = (description: string) => ({ type: listOf(BulkTaskMassOperation), description });

export const TaskOverviewType = new GraphQLObjectType<TaskOverview, CoreContext>({
  name: "TaskOverview",
  fields: () => ({
    counts: { type: new GraphQLNonNull(viewCounts) },
    unfinished: list(
      `Tasks that were started or are held, and have not ended: the ${listLimits.unfinished} oldest in the view ` +
        `\`running\`, oldest first, then the ${listLimits.unfinished} newest that are held.`,
    ),
    openFailures: list(`The newest ${listLimits.openFailures} of the view.`),
    planned: list(`The newest ${listLimits.planned} of the view.`),
    recent: list(`The newest ${listLimits.recent} tasks of any kind.`),
  }),
});

export const TaskActivityHour = new GraphQLObjectType<ActivityHour, CoreContext>({
  name: "TaskActivityHour",
  fields: {
    hour: { type: time, description: "When the hour began." },
    operations: { type: integer, description: "Executed operations that were committed in the hour." },
    failed: { type: integer, description: "Those that failed, at least in part." },
  },
});
