import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { subscribe } from "../../api/event-stream.ts";
import { graphql, type ResultOf } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { taskFields } from "./task.ts";

const overviewFields = graphql(
  `
    fragment OverviewFields on TaskOverview {
      counts { running held openFailures planned }
      unfinished { ...TaskFields }
      openFailures { ...TaskFields }
      planned { ...TaskFields destructive { deleted removed orphaned orphanedMore } }
      recent { id }
    }
  `,
  [taskFields],
);

/** The tasks of a tenant that run, that failed, and that wait for a person. */
export type TaskOverview = ResultOf<typeof overviewFields>;

const overviewDocument = graphql(`query Overview { taskOverview { ...OverviewFields } }`, [overviewFields]);

const watchDocument = graphql(`subscription WatchOverview { taskOverview { ...OverviewFields } }`, [
  overviewFields,
]);

/** The overview of a tenant's tasks, which every list of tasks is read again after: `["tasks", tenant]`. */
export const overviewQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["tasks", tenant, "overview"],
    queryFn: async ({ signal }) => (await request(tenant, overviewDocument, {}, signal)).taskOverview,
    // Counted from the last data, also from the stream.
    refetchInterval: 2_000,
  });

/** The overview of a tenant's tasks. It is polled, unless the stream delivers sooner. */
export function useTaskOverview(tenant: string) {
  const queries = useQueryClient();
  useEffect(() => {
    const { queryKey } = overviewQuery(tenant);
    return subscribe(
      tenant,
      watchDocument,
      {},
      {
        onData: ({ taskOverview }) => void queries.setQueryData(queryKey, taskOverview),
        onError: () => void queries.invalidateQueries({ queryKey }),
      },
    );
  }, [queries, tenant]);
  return useQuery(overviewQuery(tenant));
}
