import { type Endpoint, request, succeeded } from "../service/graphql.ts";

const query = `
  query FailureNames($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { failureGroups(first: 100) { edges { node { errorName } } } }
      ... on BasicError { error errorName }
    }
  }`;

interface Answer {
  bulkTask: { failureGroups: { edges: { node: { errorName: string | null } }[] } };
}

/** Reads the names of the errors that operations of a task have failed with, the most frequent first. */
export async function failureNames(endpoint: Endpoint, id: string): Promise<string[]> {
  const { failureGroups } = succeeded((await request<Answer>(endpoint, query, { id })).bulkTask);
  return [...new Set(failureGroups.edges.flatMap(({ node }) => node.errorName ?? []))];
}
