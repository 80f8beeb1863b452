import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useIsAdmin, useTenant } from "../../api/session.ts";
import { useOpenInRun } from "../../layout/dropped-file.ts";
import { useStay } from "../../layout/navigation.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { Check } from "../../ui/input/field.tsx";
import { Copy } from "../../ui/values/id.tsx";
import { openFailuresOf } from "../task-model/progress.ts";
import { OperationLink } from "../task-model/task-link.tsx";
import { hasFailuresFile } from "./actions-of.ts";
import { logsCommand, logsRequest } from "./commands.ts";
import { type CountedTask, causesDocument, type FailureGroup, type TaskDetails } from "./documents.ts";
import { failuresOfCause } from "./failures-file.ts";
import styles from "./task.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task");

const firstCauses = 4;

/** A task's failures by cause, the most frequent first and dependent ones last; each filters the log. */
export function Causes({ task }: { task: TaskDetails }) {
  const { unrepaired = false } = route.useSearch();
  const navigate = route.useNavigate();
  const [isWhole, setWhole] = useState(false);
  const { failed, partial, repaired } = task.progress;
  const { data: known, error, refetch } = useCauses(task);
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (known === undefined || failed + partial === 0) return null;
  const data = known.failureGroups;
  if (data.totalCount === 0 && !unrepaired) return null;
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
            Not repaired yet
          </Check>
        )}
      </div>
      <ol className={styles.causeList}>
        {shown.map(({ node }) => (
          <Cause key={`${node.cause} ${node.intent} ${node.errorName}`} group={node} task={task} />
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

/** The causes of a task's failures, and its progress when they were counted; not read before it has failures. */
export function useCauses(task: TaskDetails) {
  const tenant = useTenant();
  const { unrepaired = false } = route.useSearch();
  const { id, endedAt, progress } = task;
  return useQuery({
    queryKey: ["task", tenant, id, "causes", unrepaired],
    queryFn: ({ signal }) => readCauses(tenant, { id, unrepaired }, signal),
    enabled: progress.failed + progress.partial > 0,
    placeholderData: keepPreviousData,
    refetchInterval: endedAt === null ? 2_000 : false,
  });
}

/** Tries to read the causes at a moment when no operations are committed. */
const mostTries = 3;

/** Reads a task and the causes of its failures again if a batch was committed between the two. */
async function readCauses(tenant: string, wanted: { id: string; unrepaired: boolean }, signal: AbortSignal) {
  for (let tries = 1; ; tries++) {
    const task = success((await request(tenant, causesDocument, wanted, signal)).bulkTask);
    if (task.endedAt !== null || agree(task, wanted.unrepaired) || tries === mostTries) return task;
  }
}

/** True if the causes listed have as many failures as the task. */
function agree(
  { progress, failureGroups: { edges, totalCount } }: CountedTask,
  unrepaired: boolean,
): boolean {
  const failures = unrepaired ? openFailuresOf(progress) : progress.failed + progress.partial;
  const counted = edges.reduce((sum, { node }) => sum + node.count, 0);
  return counted === failures || totalCount > edges.length;
}

function Cause({ group, task }: { group: FailureGroup; task: TaskDetails }) {
  const { cause, errorName, statusCode, intent, count, firstIndex, sampleMessage, hasOneMessage } = group;
  const words = hasOneMessage ? sampleMessage : cause;
  return (
    <li>
      <span className={styles.causeCount}>{numberText(count)} ×</span>
      <Link
        from="/@{$tenant}/tasks/$task"
        search={(now) => ({ unrepaired: now.unrepaired, cause, error: errorName, intent })}
        replace
        title={words}
        dir="auto"
      >
        {words}
      </Link>
      {!hasOneMessage && (
        <span className={styles.causeSample} dir="auto" title={sampleMessage}>
          such as: {sampleMessage}
        </span>
      )}
      <span className={styles.causeKind}>
        <span>
          {errorName} {statusCode} · {intent} · first{" "}
          <OperationLink task={task.id} index={firstIndex} aria-label={`First: operation ${firstIndex}`}>
            #{numberText(firstIndex)}
          </OperationLink>
        </span>
        <CauseWays group={group} task={task} />
      </span>
    </li>
  );
}

/** Buttons that open the failures of a cause in the editor, and copy the commands that list them. */
function CauseWays({ group, task }: { group: FailureGroup; task: TaskDetails }) {
  const tenant = useTenant();
  const isAdmin = useIsAdmin();
  const openInRun = useOpenInRun();
  const stay = useStay();
  const { unrepaired = false } = route.useSearch();
  const { cause, errorName, statusCode, intent } = group;
  const named = { id: task.id, tenant, url: location.origin };
  const filter = { cause, errorName, statusCode, intent, unrepaired };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      failuresOfCause(tenant, task, { cause, errorName, statusCode, operationTypeStartsWith: intent }),
  });
  const edit = () => {
    const isHere = stay();
    mutate(undefined, { onSuccess: (file) => isHere() && openInRun([file]) });
  };
  return (
    <>
      {isAdmin && hasFailuresFile(task) && (
        <Button kind="plain" title="Open these in the editor" isBusy={isPending} onClick={edit}>
          Edit these
        </Button>
      )}
      <Copy text={logsCommand(named, filter)} name="as CLI" label="CLI" />
      <Copy text={logsRequest(named, filter)} name="as cURL" label="cURL" />
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
