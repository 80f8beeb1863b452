import { bulkTaskStatuses } from "@lading/schema/internal/bulk-task";
import { type AnswerOf, graphql, type VariablesOf } from "../service/documents.ts";
import { type Endpoint, request } from "../service/graphql.ts";
import { isHeld, type Task, taskFields } from "./task.ts";

const query = graphql(
  `
  query ListTasks($status: BulkTaskStatus, $held: Boolean, $kind: BulkTaskKind, $first: Int, $after: String) {
    bulkTasks(filter: { status: $status, held: $held, kind: $kind }, first: $first, after: $after) {
      pageInfo { endCursor hasNextPage }
      edges { node { ...TaskFields } }
    }
  }`,
  [taskFields],
);

/** Page size, well below the service's limit for the fields of a query. */
const pageSize = 100;

/** The state of a task in a list: a held task is only `held`. */
export const listedStates = [...bulkTaskStatuses, "held"] as const;
export type ListedState = (typeof listedStates)[number];

export const listedStateOf = (task: Task): ListedState => (isHeld(task) ? "held" : task.status);

const filterOf = (state: ListedState | undefined) =>
  state === undefined ? {} : state === "held" ? { held: true } : { status: state, held: false };

/** Reads the newest tasks of a tenant, newest first; plans only when that kind is asked for. */
export async function listTasks(
  endpoint: Endpoint,
  { limit, state, ...filter }: { state?: ListedState | undefined; kind?: Task["kind"]; limit: number },
): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let after: string | null = ""; tasks.length < limit; ) {
    const first = Math.min(pageSize, limit - tasks.length);
    const variables: VariablesOf<typeof query> = { ...filterOf(state), ...filter, first, after };
    const { bulkTasks }: AnswerOf<typeof query> = await request(endpoint, query, variables);
    tasks.push(...bulkTasks.edges.map(({ node }) => node));
    if (!bulkTasks.pageInfo.hasNextPage) break;
    after = bulkTasks.pageInfo.endCursor;
  }
  return tasks;
}
