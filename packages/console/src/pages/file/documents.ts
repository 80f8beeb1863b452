import { graphql, type NodeOf, type ResultOf } from "../../api/graphql.ts";

/** The service lists at most this many issues of a file. */
export const fileDocument = graphql(`
  query File($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        kind
        key
        ofTask
        errorCount
        warningCount
        issues(first: 1000) {
          edges { node { severity message pointer operationIndex line column offset } }
        }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const positionDocument = graphql(`
  query Position($id: ID!, $index: Int!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        operation(index: $index) { offset length text isTextCut log { status errorName message errors } }
      }
      ... on BasicError { errorName message }
    }
  }
`);

type Position = Extract<NonNullable<ResultOf<typeof positionDocument>["bulkTask"]>, { operation: unknown }>;

/** An operation's position in the file, and its outcome. */
export type OperationPosition = NonNullable<Position["operation"]>;

export type File = Extract<NonNullable<ResultOf<typeof fileDocument>["bulkTask"]>, { issues: unknown }>;

export type IssueNode = NodeOf<File["issues"]>;
