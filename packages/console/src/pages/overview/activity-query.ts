import { queryOptions } from "@tanstack/react-query";
import { success } from "../../api/errors.ts";
import { graphql, type ResultOf } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";

const activityDocument = graphql(`
  query Activity {
    taskActivity(hours: 168) { hour operations failed }
    tenant { maxWaitingTasks usage { items productVariants customers orders bulkTasks operations } }
  }
`);

/** The operations that tasks executed in an hour. */
export type ActivityHour = ResultOf<typeof activityDocument>["taskActivity"][number];

/** The hours of the last week, oldest first, and the tenant's sizes. */
export const activityQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["tasks", tenant, "activity"],
    queryFn: async ({ signal }) => {
      const answer = await request(tenant, activityDocument, {}, signal);
      const { usage, maxWaitingTasks } = success(answer.tenant);
      return { hours: answer.taskActivity, usage, maxWaitingTasks };
    },
    refetchInterval: 15_000,
  });
