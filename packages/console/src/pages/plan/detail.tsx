import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { graphql } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { useIsAdmin, useTenant } from "../../api/session.ts";
import { ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { Changes } from "../operation/changes.tsx";
import { plannedMessage } from "../task-model/planned.ts";
import styles from "./plan.module.css";

const changesDocument = graphql(`
  query PlannedChanges($id: ID!, $index: Int!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        operation(index: $index) {
          offset
          log {
            message
            output
            unknownUntilApplied
            changes { more isComplete entities { entity key action changedSince values { pointer before after } } }
          }
        }
      }
      ... on BasicError { errorName message }
    }
  }
`);

/** The values a plan's operation would change, before and after, with links to the rest of it. */
export function PlannedChanges({ task, index }: { task: string; index: number }) {
  const tenant = useTenant();
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ["task", tenant, task, "planned", index],
    queryFn: async ({ signal }) => {
      const { bulkTask } = await request(tenant, changesDocument, { id: task, index }, signal);
      return success(success(bulkTask).operation);
    },
    placeholderData: undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={2} />;
  const { changes, message, output, unknownUntilApplied } = data.log;
  return (
    <div className={styles.detail}>
      <p dir="auto">{plannedMessage(message)}</p>
      {changes === null ? (
        <p className={styles.note}>
          {isAdmin
            ? "It would not change any stored value."
            : "Only tokens that may write can see the values."}
        </p>
      ) : (
        <Changes changes={changes} isPlan unknown={unknownUntilApplied} output={output} />
      )}
      <p className={styles.ways}>
        <Link to="/@{$tenant}/tasks/$task/operations/$index" params={{ tenant, task, index: `${index}` }}>
          The whole operation
        </Link>
        {data.offset !== null && (
          <Link to="/@{$tenant}/tasks/$task/file" params={{ tenant, task }} search={{ operation: index }}>
            Its position in the file
          </Link>
        )}
      </p>
    </div>
  );
}
