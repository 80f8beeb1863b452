import { useQuery } from "@tanstack/react-query";
import { success } from "../../api/errors.ts";
import { graphql } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { numberText } from "../../ui/format.ts";
import { Time } from "../../ui/values/time.tsx";
import { taskName } from "../task-model/task.ts";
import { OperationLink } from "../task-model/task-link.tsx";

const changeFields = graphql(`fragment Change on LastChange { at taskId operationIndex }`);

const itemChange = graphql(
  `
    query ItemChange($id: ID!, $language: String!, $version: VersionLabel!) {
      entity: item(id: $id, language: $language, version: $version) {
        ... on Item { lastChange { ...Change } }
        ... on BasicError { errorName message }
      }
    }
  `,
  [changeFields],
);

const customerChange = graphql(
  `
    query CustomerChange($identifier: String!) {
      entity: customer(identifier: $identifier) {
        ... on Customer { lastChange { ...Change } }
        ... on BasicError { errorName message }
      }
    }
  `,
  [changeFields],
);

const orderChange = graphql(
  `
    query OrderChange($id: ID!) {
      entity: order(id: $id) {
        ... on Order { lastChange { ...Change } }
        ... on BasicError { errorName message }
      }
    }
  `,
  [changeFields],
);

const taskDocument = graphql(`
  query ChangingTask($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { kind key ofTask }
      ... on BasicError { errorName message }
    }
  }
`);

type Entity =
  | { kind: "item"; id: string; language: string; version: "draft" | "published" }
  | { kind: "customer"; identifier: string }
  | { kind: "order"; id: string };

async function changeOf(tenant: string, entity: Entity, signal: AbortSignal) {
  if (entity.kind === "item") return request(tenant, itemChange, entity, signal);
  if (entity.kind === "customer") return request(tenant, customerChange, entity, signal);
  return request(tenant, orderChange, entity, signal);
}

/** When an entity was changed, and the operation that did. It is looked up in the log once for each change. */
export function LastChange({ entity, at }: { entity: Entity; at: string }) {
  const tenant = useTenant();
  const { data } = useQuery({
    queryKey: ["last change", tenant, entity, at],
    queryFn: async ({ signal }) => {
      const { lastChange } = success((await changeOf(tenant, entity, signal)).entity);
      if (lastChange.taskId === null || lastChange.operationIndex === null) return { at: lastChange.at };
      const { bulkTask } = await request(tenant, taskDocument, { id: lastChange.taskId }, signal);
      return {
        at: lastChange.at,
        operation: {
          task: lastChange.taskId,
          index: lastChange.operationIndex,
          name: taskName(success(bulkTask)),
        },
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <Time at={data?.at ?? at} />
      {data?.operation !== undefined && (
        <>
          {" by "}
          <OperationLink task={data.operation.task} index={data.operation.index}>
            operation {numberText(data.operation.index)} of <bdi>{data.operation.name}</bdi>
          </OperationLink>
        </>
      )}
    </>
  );
}
