import { queryOptions } from "@tanstack/react-query";
import { success } from "../../api/errors.ts";
import { graphql, type ResultOf } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";

const activityDocument = graphql(`
  query Activity { taskActivity(hours: 168) { hour operations failed } }
`);

/** The operations that tasks executed in an hour. */
export type ActivityHour = ResultOf<typeof activityDocument>["taskActivity"][number];

/** The hours of the last week, oldest first. */
export const activityQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["tasks", tenant, "activity"],
    queryFn: async ({ signal }) => (await request(tenant, activityDocument, {}, signal)).taskActivity,
    refetchInterval: 15_000,
  });

const sizesDocument = graphql(`
  query Sizes {
    tenant { maxWaitingTasks usage { items productVariants customers orders bulkTasks operations } }
  }
`);

/** The tenant's sizes. The service counts all rows for them: they are not polled. */
export const sizesQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["tenant", tenant, "sizes"],
    queryFn: async ({ signal }) => success((await request(tenant, sizesDocument, {}, signal)).tenant),
    staleTime: 60_000,
  });
