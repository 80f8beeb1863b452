import { graphql, type ResultOf } from "../../api/graphql.ts";

/** The service lists so many issues of a file at most. */
export const fileDocument = graphql(`
  query File($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        errorCount
        warningCount
        issues(first: 1000) {
          edges { node { severity code message pointer operationIndex line column offset } }
        }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const placeDocument = graphql(`
  query Place($id: ID!, $index: Int!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        operation(index: $index) { offset length text isTextCut log { status errorName message errors } }
      }
      ... on BasicError { errorName message }
    }
  }
`);

type Place = Extract<NonNullable<ResultOf<typeof placeDocument>["bulkTask"]>, { operation: unknown }>;

/** The place of an operation in the file, and what became of it. */
export type OperationPlace = NonNullable<Place["operation"]>;

/** The issues that were found in a file. */
export type File = Extract<NonNullable<ResultOf<typeof fileDocument>["bulkTask"]>, { issues: unknown }>;

export type IssueNode = File["issues"]["edges"][number]["node"];
