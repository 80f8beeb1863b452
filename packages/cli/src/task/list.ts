import { type Endpoint, request } from "../service/graphql.ts";
import { type Task, type TaskKind, type TaskStatus, taskFields } from "./task.ts";

const query = `
  query ListTasks($status: BulkTaskStatus, $kind: BulkTaskKind, $first: Int, $after: String) {
    bulkTasks(filter: { status: $status, kind: $kind }, first: $first, after: $after) {
      pageInfo { endCursor hasNextPage }
      edges { node { ${taskFields} } }
    }
  }`;

/** The most tasks of one request: as many as the service's limit for the fields of a query allows with ease. */
const pageSize = 100;

/** Reads the newest tasks of a tenant, newest first; plans only when that kind is asked for. */
export async function listTasks(
  endpoint: Endpoint,
  { limit, ...filter }: { status?: TaskStatus; kind?: TaskKind; limit: number },
): Promise<Task[]> {
  type Answer = {
    bulkTasks: { pageInfo: { endCursor: string | null; hasNextPage: boolean }; edges: { node: Task }[] };
  };
  const tasks: Task[] = [];
  for (let after: string | null = ""; tasks.length < limit; ) {
    const first = Math.min(pageSize, limit - tasks.length);
    const { bulkTasks }: Answer = await request<Answer>(endpoint, query, { ...filter, first, after });
    tasks.push(...bulkTasks.edges.map(({ node }) => node));
    if (!bulkTasks.pageInfo.hasNextPage) break;
    after = bulkTasks.pageInfo.endCursor;
  }
  return tasks;
}
