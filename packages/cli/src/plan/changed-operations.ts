import { type AnswerOf, graphql, type VariablesOf } from "../service/documents.ts";
import { type Endpoint, request } from "../service/graphql.ts";

const query = graphql(`
  query Changes($id: ID!, $action: OperationAction, $after: String, $first: Int) {
    operationLogs(filter: { operationId: $id, action: $action }, after: $after, first: $first) {
      pageInfo { hasNextPage }
      edges {
        cursor
        node {
          index intent ref action unknownUntilApplied
          changes { entities { entity key action values { pointer before after } } more isComplete }
        }
      }
    }
  }`);

type Page = AnswerOf<typeof query>["operationLogs"];
type Edge = Page["edges"][number];

/** An operation of a plan, and what it would change. */
export type ChangedOperation = Edge["node"];

/** Removals first. */
const order = ["deleted", "unpublished", "updated", "created", "published"] as const;

const pageSize = 50;

/**
 * Reads operations of a plan that would change something, in pages: deletions before others, then in their order.
 * @param most the number of operations that are wanted
 */
export async function* changedOperations(
  endpoint: Endpoint,
  id: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<ChangedOperation> {
  let left = most;
  for (const action of order)
    for (let after: string | null = ""; after !== null && left > 0; ) {
      const variables: VariablesOf<typeof query> = { id, action, after, first: Math.min(pageSize, left) };
      const { pageInfo, edges }: Page = (await request(endpoint, query, variables)).operationLogs;
      const complete = completeEdges(edges);
      left -= complete.length;
      for (const { node } of complete) yield node;
      const isLast: boolean = complete.length === edges.length && !pageInfo.hasNextPage;
      after = isLast ? null : (complete.at(-1)?.cursor ?? null);
    }
}

/**
 * The entries of a page up to the first whose changes were not read completely: the next page begins with it. If it is
 * the first of its page, it is larger than one request reads, and stays as it is.
 */
function completeEdges(edges: readonly Edge[]): readonly Edge[] {
  const cut = edges.findIndex(({ node }, i) => i > 0 && node.changes?.isComplete === false);
  return cut === -1 ? edges : edges.slice(0, cut);
}
