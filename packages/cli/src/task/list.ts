import { type Endpoint, request } from "../service/graphql.ts";
import { type Task, type TaskStatus, taskFields } from "./task.ts";

const query = `
  query ListTasks($status: BulkTaskStatus, $first: Int, $after: String) {
    bulkTasks(filter: { status: $status }, first: $first, after: $after) {
      pageInfo { endCursor hasNextPage }
      edges { node { ${taskFields} } }
    }
  }`;

/** The most tasks of one request: as many as the service's limit for the fields of a query allows with ease. */
const pageSize = 100;

/** Reads the newest tasks of a tenant, newest first. */
export async function listTasks(
  endpoint: Endpoint,
  { status, limit }: { status?: TaskStatus; limit: number },
): Promise<Task[]> {
  type Answer = {
    bulkTasks: { pageInfo: { endCursor: string | null; hasNextPage: boolean }; edges: { node: Task }[] };
  };
  const tasks: Task[] = [];
  for (let after: string | null = ""; tasks.length < limit; ) {
    const first = Math.min(pageSize, limit - tasks.length);
    const { bulkTasks }: Answer = await request<Answer>(endpoint, query, { status, first, after });
    tasks.push(...bulkTasks.edges.map(({ node }) => node));
    if (!bulkTasks.pageInfo.hasNextPage) break;
    after = bulkTasks.pageInfo.endCursor;
  }
  return tasks;
}
