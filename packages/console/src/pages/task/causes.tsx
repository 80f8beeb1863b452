import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { Check } from "../../ui/input/field.tsx";
import { causesDocument, type FailureGroup, type TaskDetails } from "./documents.ts";
import styles from "./task.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task");

/** Causes shown initially. */
const firstCauses = 4;

/** A task's failures by cause, the most frequent first; each filters the log. */
export function Causes({ task }: { task: TaskDetails }) {
  const { unrepaired = false } = route.useSearch();
  const navigate = route.useNavigate();
  const [isWhole, setWhole] = useState(false);
  const { failed, partial, repaired } = task.progress;
  const { data, error, refetch } = useCauses(task, unrepaired);
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined || failed + partial === 0 || (data.totalCount === 0 && !unrepaired)) return null;
  const shown = isWhole ? data.edges : data.edges.slice(0, firstCauses);
  return (
    <section className={styles.causes} aria-label="Causes of failures">
      <div className={styles.causesHead}>
        <h2>
          {numberText(data.totalCount)} {data.totalCount === 1 ? "cause" : "causes"}
        </h2>
        {(repaired > 0 || unrepaired) && (
          <Check
            checked={unrepaired}
            onChange={({ target }) =>
              void navigate({
                search: (now) => ({ ...now, unrepaired: target.checked || undefined }),
                replace: true,
              })
            }
          >
            not repaired yet
          </Check>
        )}
      </div>
      <ol className={styles.causeList}>
        {shown.map(({ node }) => (
          <Cause key={`${node.cause} ${node.intent} ${node.errorName}`} group={node} task={task.id} />
        ))}
      </ol>
      {data.edges.length > firstCauses && (
        <Button kind="plain" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show ${numberText(data.edges.length - firstCauses)} more`}
        </Button>
      )}
    </section>
  );
}

function useCauses(task: TaskDetails, unrepaired: boolean) {
  const tenant = useTenant();
  return useQuery({
    queryKey: ["task", tenant, task.id, "causes", unrepaired],
    queryFn: async ({ signal }) => {
      const { bulkTask } = await request(tenant, causesDocument, { id: task.id, unrepaired }, signal);
      return success(bulkTask).failureGroups;
    },
    placeholderData: keepPreviousData,
    refetchInterval: task.endedAt === null ? 3_000 : false,
  });
}

function Cause({ group, task }: { group: FailureGroup; task: string }) {
  const tenant = useTenant();
  const { cause, errorName, statusCode, intent, count, firstIndex } = group;
  const words = group.hasOneMessage ? group.sampleMessage : cause;
  return (
    <li>
      <span className={styles.causeCount}>{numberText(count)} ×</span>
      <Link
        from="/@{$tenant}/tasks/$task"
        search={(now) => ({ unrepaired: now.unrepaired, cause, error: errorName, intent })}
        replace
        title={words}
      >
        {words}
      </Link>
      <span className={styles.causeKind}>
        {errorName} {statusCode} · {intent} · first{" "}
        <Link
          to="/@{$tenant}/tasks/$task/operations/$index"
          params={{ tenant, task, index: `${firstIndex}` }}
          aria-label={`First: operation ${firstIndex}`}
        >
          #{numberText(firstIndex)}
        </Link>
      </span>
    </li>
  );
}
