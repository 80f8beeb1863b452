import { graphql } from "../service/documents.ts";
import { type Endpoint, request, succeeded } from "../service/graphql.ts";

const query = graphql(`
  query FailureNames($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { failureGroups(first: 100) { edges { node { errorName } } } }
      ... on BasicError { error errorName }
    }
  }`);

/** Reads the names of the errors that operations of a task have failed with, the most frequent first. */
export async function failureNames(endpoint: Endpoint, id: string): Promise<string[]> {
  const { failureGroups } = succeeded((await request(endpoint, query, { id })).bulkTask);
  return [...new Set(failureGroups.edges.flatMap(({ node }) => node.errorName))];
}
