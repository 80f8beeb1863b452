import { GraphQLNonNull } from "graphql";
import { Rejection, reject } from "../errors.ts";
import type { BulkTask } from "../tasks/bulk-task.ts";
import { taskNotFound } from "../tasks/find.ts";
import { watchOverview, watchTask } from "../tasks/watch.ts";
import { id } from "./derive/non-null.ts";
import { streamField } from "./root-fields.ts";
import type { FailureSource } from "./types/errors.ts";
import { BulkTaskResult } from "./types/task/bulk-task.ts";
import { TaskOverviewType } from "./types/task/overview.ts";
import { checkArguments } from "./validation/check-arguments.ts";

/** `bulkTask` after each change, until it ends; `taskOverview` after each change. */
export const bulkTaskSubscriptions = {
  bulkTask: streamField<{ id: string }>({
    type: BulkTaskResult,
    description: "The task now, after each change, and as it ended. Sent as server-sent events.",
    args: { id: { type: id } },
    subscribe: (given, { services, tenant, clientIsGone }) =>
      taskOrFailure(given, watchTask(services.database, tenant.id, given.id, clientIsGone)),
  }),
  taskOverview: streamField({
    type: new GraphQLNonNull(TaskOverviewType),
    description:
      "The overview now, and after each change, at most once a second. Sent as server-sent events.",
    subscribe: (_given, { services, tenant, clientIsGone }) =>
      watchOverview(services.database, tenant.id, clientIsGone),
  }),
};

async function* taskOrFailure(
  input: { id: string },
  tasks: AsyncIterable<BulkTask>,
): AsyncGenerator<BulkTask | FailureSource> {
  let exists = false;
  try {
    checkArguments(input, { id: { type: id } });
    for await (const task of tasks) {
      exists = true;
      yield task;
    }
    if (!exists) reject("BulkTaskNotFoundError", taskNotFound(input.id));
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    yield { rejection: error, input };
  }
}
