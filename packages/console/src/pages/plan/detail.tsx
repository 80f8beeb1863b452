import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { graphql } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { useRole, useTenant } from "../../api/session.ts";
import { Pending } from "../../layout/page-states.tsx";
import { Changes, onlyAdminsSee } from "../operation/changes.tsx";
import { changesFields } from "../operation/documents.ts";
import { plannedMessage } from "../task-model/outcome.ts";
import { OperationLink } from "../task-model/task-link.tsx";
import styles from "./plan.module.css";

const changesDocument = graphql(
  `
  query PlannedChanges($id: ID!, $index: Int!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        operation(index: $index) {
          offset
          log {
            message
            action
            output
            unknownUntilApplied
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

/** The values a plan's operation would change, before and after, with links to the rest of it. */
export function PlannedChanges({ task, index }: { task: string; index: number }) {
  const tenant = useTenant();
  const role = useRole();
  const query = useQuery({
    queryKey: ["task", tenant, task, "planned", index],
    queryFn: async ({ signal }) => {
      const { bulkTask } = await request(tenant, changesDocument, { id: task, index }, signal);
      return success(success(bulkTask).operation);
    },
    placeholderData: undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = query;
  if (query.error !== null || data === undefined) return <Pending query={query} lines={2} />;
  const { changes, message, action, output, unknownUntilApplied } = data.log;
  const isHidden = role !== "admin" && action !== null && action !== "unchanged";
  return (
    <div className={styles.detail}>
      <p dir="auto">{plannedMessage(message)}</p>
      {changes === null ? (
        <p className="muted">{isHidden ? onlyAdminsSee : "It would not change any stored value."}</p>
      ) : (
        <Changes changes={changes} isPlan unknown={unknownUntilApplied} output={output} />
      )}
      <p className={styles.ways}>
        <OperationLink task={task} index={index}>
          View operation
        </OperationLink>
        {data.offset !== null && (
          <Link to="/@{$tenant}/tasks/$task/file" params={{ tenant, task }} search={{ operation: index }}>
            View in file
          </Link>
        )}
      </p>
    </div>
  );
}
