import { graphql, type ResultOf } from "../../api/graphql.ts";

/** The values that an operation changed, or would change by a plan. */
export const changesFields = graphql(`
  fragment Changes on OperationChanges {
    more
    isComplete
    entities { entity key action changedSince values { pointer before after } }
  }
`);

export const operationDocument = graphql(
  `
  query Operation($id: ID!, $index: Int!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        kind
        key
        ofTask
        progress { processed }
        operation(index: $index) {
          offset
          length
          text
          isTextCut
          log {
            index ref intent status statusCode errorName action message
            input command output errors unknownUntilApplied repairedBy startedAt durationMs
            undoes { operationId index }
            changes { ...Changes }
          }
        }
      }
      ... on BasicError { errorName message }
    }
  }
`,
  [changesFields],
);

export type Task = Extract<
  NonNullable<ResultOf<typeof operationDocument>["bulkTask"]>,
  { operation: unknown }
>;

/** An operation with its position in the file and its entry in the log. */
export type Operation = NonNullable<Task["operation"]>;
