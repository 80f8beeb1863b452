import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Pending } from "../../layout/page-states.tsx";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { countOf, numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { HeadRow } from "../../ui/table/plain-table.tsx";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import { TaskState } from "../task-model/states.tsx";
import { OperationLink } from "../task-model/task-link.tsx";
import { type Difference, differencesOf, type Failures } from "./compared-failures.ts";
import { type ComparedRun, failuresDocument, runsDocument, type TaskDetails } from "./documents.ts";
import styles from "./task.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task");

/** The newest runs that are looked at, and the failures of each of two runs that are compared. */
const limits = { runs: 100, failures: 1_000 };

/** The runs of the same file, their counts side by side, and the operations that failed in one of two only. */
export function Compare({ task }: { task: TaskDetails }) {
  const tenant = useTenant();
  const { with: other } = route.useSearch();
  const query = useQuery({
    queryKey: ["task", tenant, task.id, "runs"],
    queryFn: async ({ signal }) => {
      const { bulkTasks } = await request(tenant, runsDocument, { first: limits.runs }, signal);
      return success(bulkTasks)
        .edges.map(({ node }) => node)
        .filter(({ sha256 }) => sha256 === task.sha256);
    },
  });
  const { data } = query;
  if (query.error !== null || data === undefined) return <Pending query={query} lines={5} />;
  const others = data.filter(({ id }) => id !== task.id);
  if (task.sha256 === null || others.length === 0)
    return (
      <Empty title="No other run of this file">
        {`None of the newest ${limits.runs} runs used a file with the same content.`}
      </Empty>
    );
  const chosen = others.find(({ id }) => id === other);
  return (
    <div className={styles.compare}>
      <Runs task={task} others={others} chosen={other} />
      {chosen !== undefined && <Differences task={task} other={chosen} />}
    </div>
  );
}

const counts = [
  "succeeded",
  "partial",
  "failed",
  "repaired",
  "created",
  "updated",
  "unchanged",
  "deleted",
] as const;

function Runs({
  task,
  others,
  chosen,
}: {
  task: TaskDetails;
  others: readonly ComparedRun[];
  chosen: string | undefined;
}) {
  const tenant = useTenant();
  const navigate = route.useNavigate();
  return (
    <table className={styles.runs}>
      <HeadRow names={["Run", "State", "Started", ...counts, "Compare"]} />
      <tbody>
        {[task, ...others].map((run) => (
          <tr key={run.id} aria-current={run.id === task.id}>
            <th scope="row">
              {run.id === task.id ? (
                "this run"
              ) : (
                <Link to="/@{$tenant}/tasks/$task" params={{ tenant, task: run.id }}>
                  <Id id={run.id} />
                </Link>
              )}
            </th>
            <td>
              <TaskState task={run} />
            </td>
            <td>
              <Time at={run.startedAt} />
            </td>
            {counts.map((name) => (
              <td key={name} className={styles.figure}>
                {numberText(run.progress[name])}
              </td>
            ))}
            <td>
              {run.id !== task.id && (
                <Button
                  kind="plain"
                  aria-pressed={run.id === chosen}
                  onClick={() =>
                    void navigate({ search: (now) => ({ ...now, with: run.id }), replace: true })
                  }
                >
                  Differences
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The operations that failed, wholly or partly, in one of two runs only, or for another reason. */
function Differences({ task, other }: { task: TaskDetails; other: ComparedRun }) {
  const tenant = useTenant();
  const query = useQuery({
    queryKey: ["task", tenant, task.id, "compared", other.id],
    queryFn: async ({ signal }) => {
      const [here, there] = await Promise.all(
        [task.id, other.id].map((id) => readFailures(tenant, id, signal)),
      );
      return here && there && { differences: differencesOf(here, there), end: Math.min(here.end, there.end) };
    },
  });
  const { data } = query;
  if (query.error !== null || data === undefined) return <Pending query={query} lines={5} />;
  const { differences, end } = data;
  return (
    <section aria-labelledby="differences">
      <h2 id="differences">
        {differences.length === 0 ? "No operations" : countOf(differences.length, "operation")} with a
        different outcome
      </h2>
      {Number.isFinite(end) && (
        <p>Compared up to operation {numberText(end)} only: there are more failures.</p>
      )}
      <ul className={styles.differences}>
        {differences.map((difference) => (
          <DifferenceLine key={difference.index} tasks={[task.id, other.id]} difference={difference} />
        ))}
      </ul>
    </section>
  );
}

function DifferenceLine({
  tasks: [here, there],
  difference: { index, intent, ...messages },
}: {
  tasks: readonly [string, string];
  difference: Difference;
}) {
  const link = (task: string, message: string | undefined) => (
    <OperationLink task={task} index={index} dir="auto">
      {message ?? "succeeded or was not reached"}
    </OperationLink>
  );
  return (
    <li>
      <strong>#{numberText(index)}</strong> <code>{intent}</code>
      <dl>
        <dt>this run</dt>
        <dd>{link(here, messages.here)}</dd>
        <dt>other run</dt>
        <dd>{link(there, messages.there)}</dd>
      </dl>
    </li>
  );
}

async function readFailures(tenant: string, id: string, signal: AbortSignal): Promise<Failures> {
  const variables = { id, first: limits.failures };
  const { failed, partial } = await request(tenant, failuresDocument, variables, signal);
  const lists = [success(failed), success(partial)];
  return {
    entries: lists.flatMap(({ edges }) => edges.map(({ node }) => node)),
    end: Math.min(...lists.map(endOf)),
  };
}

/** The number of the last operation up to which a list of failures is known. */
const endOf = ({
  edges,
  pageInfo,
}: {
  edges: { node: { index: number } }[];
  pageInfo: { hasNextPage: boolean };
}) => (pageInfo.hasNextPage ? (edges.at(-1)?.node.index ?? -1) : Number.POSITIVE_INFINITY);
