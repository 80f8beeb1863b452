import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useStream } from "../../api/event-stream.ts";
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

export const overviewQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["tasks", tenant, "overview"],
    queryFn: async ({ signal }) => (await request(tenant, overviewDocument, {}, signal)).taskOverview,
  });

/** The overview of a tenant's tasks, and whether the stream delivers each change; until it does, it is polled. */
export function useTaskOverview(tenant: string) {
  const queries = useQueryClient();
  const { queryKey } = overviewQuery(tenant);
  const isLive = useStream(
    true,
    tenant,
    watchDocument,
    {},
    {
      onData: ({ taskOverview }) => void queries.setQueryData(queryKey, taskOverview),
      onError: () => void queries.invalidateQueries({ queryKey }),
    },
  );
  const query = useQuery({ ...overviewQuery(tenant), refetchInterval: isLive ? false : 2_000 });
  return { ...query, isLive };
}
