import { durationText, numberText, percentText } from "../../ui/format.ts";
import type { Column } from "../../ui/table/table.tsx";
import { Elapsed, Time } from "../../ui/values/time.tsx";
import { executedOf, openFailuresOf, operationsOf, outcomesOf } from "../task-model/progress.ts";
import { ProgressBar } from "../task-model/progress-bar.tsx";
import { reasonText } from "../task-model/reason.ts";
import { TaskState } from "../task-model/states.tsx";
import type { Task } from "../task-model/task.ts";
import { TaskLink } from "../task-model/task-link.tsx";
import styles from "./tasks.module.css";

/** The columns of a list of tasks: first the file, then the outcome. */
export const columns: Column<Task>[] = [
  {
    header: "File",
    width: 10.5,
    grow: 1.2,
    card: "title",
    cell: (task) => <TaskLink task={task} tabIndex={-1} />,
  },
  { header: "State", width: 7, card: "state", cell: (task) => <TaskState task={task} /> },
  { header: "Progress", width: 6.4, grow: 0.5, cell: (task) => <TaskProgress task={task} /> },
  { header: "Failed", width: 7, isFigure: true, cell: (task) => <Failed task={task} /> },
  { header: "Reason", width: 7, grow: 1.6, card: "line", cell: (task) => <Reason task={task} /> },
  { header: "By", width: 5.8, cell: ({ createdBy }) => <bdi title={createdBy}>{createdBy}</bdi> },
  { header: "Created", width: 7.7, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: "Operations",
    width: 5.5,
    isFigure: true,
    isExtra: true,
    card: "hidden",
    cell: (task) => numbers(operationsOf(task)),
  },
  {
    header: "Time",
    width: 7.4,
    isFigure: true,
    isExtra: true,
    card: "hidden",
    cell: (task) => <TimeSpent task={task} />,
  },
];

const numbers = (count: number | null) => (count === null ? "–" : numberText(count));

function TaskProgress({ task }: { task: Task }) {
  const { progress, startedAt } = task;
  const total = operationsOf(task);
  if (startedAt === null || total === null) return <>–</>;
  return (
    <span className={styles.progress}>
      <span>{executedOf(progress) === total ? "100 %" : percentText(executedOf(progress), total)}</span>
      <ProgressBar task={task} />
    </span>
  );
}

/** The failed and partial operations, coloured while some are not repaired, and how many those are. */
export function Failed({ task: { progress } }: { task: Pick<Task, "progress"> }) {
  const open = outcomesOf(progress);
  const isOpen = openFailuresOf(progress) > 0;
  return (
    <span>
      <span className={open.failed > 0 ? styles.failed : undefined}>{numberText(progress.failed)}</span>
      {progress.partial > 0 && (
        <>
          {" · "}
          <span className={open.partial > 0 ? styles.partial : undefined}>
            {numberText(progress.partial)} partial
          </span>
        </>
      )}
      {progress.repaired > 0 && ` · ${isOpen ? `${numberText(openFailuresOf(progress))} open` : "repaired"}`}
    </span>
  );
}

/** The time left for a running task; otherwise the time it took. */
function TimeSpent({ task: { progress, startedAt, endedAt } }: { task: Task }) {
  if (progress.secondsLeft !== null && endedAt === null)
    return <>{durationText(progress.secondsLeft * 1_000)} left</>;
  return startedAt === null ? <>–</> : <Elapsed from={startedAt} to={endedAt} />;
}

function Reason({ task }: { task: Task }) {
  const reason = reasonText(task);
  return (
    <span className={styles.reason} title={reason ?? undefined}>
      {reason ?? "–"}
    </span>
  );
}
