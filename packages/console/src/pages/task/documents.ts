import { graphql, type NodeOf, type ResultOf } from "../../api/graphql.ts";
import { progressFields, taskFields } from "../task-model/task.ts";

export const taskDocument = graphql(
  `
    query Task($id: ID!) {
      bulkTask(id: $id) {
        ... on BulkTaskMassOperation {
          ...TaskFields
          isOwnPlan
          followedBy
          sha256
          strict
          maxFailures
          onFailure
          holdAfter
          holdOnFailures
          include
          destructive { deleted removed orphaned orphanedMore }
          retries { id kind key ofTask status undoneBy include startAt endedAt heldAt info { error errorName } progress { ...Progress } }
        }
        ... on BasicError { errorName message }
      }
    }
  `,
  [taskFields, progressFields],
);

type TaskResult = NonNullable<ResultOf<typeof taskDocument>["bulkTask"]>;

export type TaskDetails = Extract<TaskResult, { id: string }>;

export const watchDocument = graphql(
  `
    subscription Watch($id: ID!) {
      bulkTask(id: $id) {
        ...TaskFields
        ... on BasicError { errorName message }
      }
    }
  `,
  [taskFields],
);

/** Changes when a task is created, such as a retry of another one, and when a task ends. */
export const aroundDocument = graphql(`
  subscription Around { taskOverview { counts { running held openFailures planned } recent { id } } }
`);

/** The causes of a task's failures, with its progress at that moment. */
export const causesDocument = graphql(
  `
  query Causes($id: ID!, $unrepaired: Boolean!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        endedAt
        progress { ...Progress }
        failureGroups(first: 100, unrepaired: $unrepaired) {
          edges { node { cause errorName statusCode intent count firstIndex sampleMessage hasOneMessage } }
          totalCount
        }
      }
      ... on BasicError { errorName message }
    }
  }
`,
  [progressFields],
);

/** A task with the causes of its failures. */
export type CountedTask = Extract<
  NonNullable<ResultOf<typeof causesDocument>["bulkTask"]>,
  { failureGroups: unknown }
>;

/** Failures of one intent with the same cause. */
export type FailureGroup = NodeOf<CountedTask["failureGroups"]>;

export const numbersDocument = graphql(`
  query Numbers($filter: OperationLogFilter!, $first: Int!, $after: String!) {
    operationLogs(filter: $filter, first: $first, after: $after) {
      edges { node { index } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const issuesDocument = graphql(`
  query Issues($id: ID!, $first: Int!, $after: String!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        issues(first: $first, after: $after) {
          edges { node { severity message pointer operationIndex intent line column offset } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const runsDocument = graphql(
  `
  query Runs($first: Int!) {
    bulkTasks(filter: { kind: run }, first: $first) { edges { node { ...TaskFields sha256 } } }
  }
`,
  [taskFields],
);

export type ComparedRun = NodeOf<ResultOf<typeof runsDocument>["bulkTasks"]>;

/** The first failures of a task, by outcome. */
export const failuresDocument = graphql(`
  query Failures($id: ID!, $first: Int!) {
    failed: operationLogs(filter: { operationId: $id, status: failure }, first: $first) {
      edges { node { index intent message } }
      pageInfo { hasNextPage }
    }
    partial: operationLogs(filter: { operationId: $id, status: partial }, first: $first) {
      edges { node { index intent message } }
      pageInfo { hasNextPage }
    }
  }
`);

export const historyDocument = graphql(`
  query History($id: ID!) {
    auditTrail(filter: { subjectId: $id }, first: 100) {
      edges { node { id at action actor accessTokenName personName } }
    }
  }
`);

export const countDocument = graphql(`
  query LogCount($filter: OperationLogFilter!) {
    operationLogs(filter: $filter, first: 1) { totalCount }
  }
`);

/** A task's operations in the state it left them in, by outcome. */
export const openDocument = graphql(`
  query Open($id: ID!) {
    failed: operationLogs(filter: { operationId: $id, status: failure, unrepaired: true }, first: 1) { totalCount }
    partial: operationLogs(filter: { operationId: $id, status: partial, unrepaired: true }, first: 1) { totalCount }
  }
`);

const outcome = `... on BulkTaskMassOperation { id } ... on BasicError { errorName message }` as const;

export const startDocument = graphql(
  `mutation Start($id: ID!) { startMassOperationBulkTask(id: $id) { ${outcome} } }`,
);
export const holdDocument = graphql(`mutation Hold($id: ID!) { holdBulkTask(id: $id) { ${outcome} } }`);
export const resumeDocument = graphql(`mutation Resume($id: ID!) { resumeBulkTask(id: $id) { ${outcome} } }`);
export const cancelDocument = graphql(
  `mutation Cancel($id: ID!) { cancelMassOperationBulkTask(id: $id) { ${outcome} } }`,
);
export const retryDocument = graphql(`
  mutation Retry($id: ID!, $include: [RetriedOutcome!]!, $idempotencyKey: String!) {
    created: retryBulkTask(id: $id, include: $include, idempotencyKey: $idempotencyKey, autoStart: true) { ${outcome} }
  }
`);
export const undoDocument = graphql(`
  mutation Undo($id: ID!, $plan: Boolean!, $idempotencyKey: String!) {
    created: undoBulkTask(id: $id, plan: $plan, idempotencyKey: $idempotencyKey, autoStart: true) { ${outcome} }
  }
`);
export const followDocument = graphql(`
  mutation Follow($plan: ID!, $idempotencyKey: String!) {
    created: createMassOperationBulkTask(input: { plan: $plan, idempotencyKey: $idempotencyKey, autoStart: true }) {
      ${outcome}
    }
  }
`);
