import { bulkTaskKinds, bulkTaskStatuses } from "@lading/schema/bulk-task";
import { createLazyRoute, getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Empty, ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { durationText, numberText, percentText, rateText } from "../../ui/format.ts";
import { Choice } from "../../ui/input/field.tsx";
import { useFilterShortcut } from "../../ui/table/filter-shortcut.ts";
import { type Rows, useCursorRows } from "../../ui/table/paged-rows.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { shortId } from "../../ui/values/id.tsx";
import { Elapsed, Time } from "../../ui/values/time.tsx";
import { executedOf, openFailuresOf, operationsOf, outcomesOf } from "../task-model/progress.ts";
import { ProgressBar } from "../task-model/progress-bar.tsx";
import { TaskState } from "../task-model/states.tsx";
import { fileNameOf, type Task, tasksDocument } from "../task-model/task.ts";
import styles from "./tasks.module.css";

const route = getRouteApi("/@{$tenant}/tasks");

/** The tasks of a tenant, newest first. */
function TasksPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useTasks();
  const firstFilter = useRef<HTMLDivElement>(null);
  useFilterShortcut(firstFilter);
  const change = (changed: Partial<typeof filter>) =>
    navigate({ search: { ...filter, ...changed }, replace: true });
  return (
    <div className={styles.page}>
      <div className={styles.head} ref={firstFilter}>
        <h1>Tasks</h1>
        <Choice
          label="Status"
          value={filter.status}
          options={bulkTaskStatuses}
          onChange={(status) => change({ status })}
        />
        <Choice
          label="Kind"
          value={filter.kind}
          options={bulkTaskKinds}
          none="all except plans"
          onChange={(kind) => change({ kind })}
        />
      </div>
      <TaskList rows={rows} isFiltered={filter.status !== undefined || filter.kind !== undefined} />
    </div>
  );
}

function useTasks(): Rows<Task> {
  const tenant = useTenant();
  const { status, kind } = route.useSearch();
  const filter = { ...(status && { status }), ...(kind && { kind }) };
  return useCursorRows({
    queryKey: ["tasks", tenant, filter],
    pageSize: 50,
    refetchInterval: 1_500,
    fetchPage: async (after, signal) => {
      const answer = await request(tenant, tasksDocument, { filter, first: 50, after }, signal);
      const { edges, pageInfo } = success(answer.bulkTasks);
      return { rows: edges.map(({ node }) => node), ...pageInfo };
    },
  });
}

function TaskList({ rows, isFiltered }: { rows: Rows<Task>; isFiltered: boolean }) {
  const tenant = useTenant();
  const navigate = useNavigate();
  if (rows.isLoading) return <Skeleton lines={12} />;
  if (rows.error !== null && rows.count === 0) return <ErrorNote error={rows.error} onRetry={rows.refetch} />;
  if (rows.count === 0 && isFiltered) return <Empty title="No task matches these filters" />;
  if (rows.count === 0)
    return (
      <Empty title="No tasks yet" command={`lading mass-operation run ${tenant} operations.json`}>
        A task is one run of a mass operation file.{" "}
        <Link to="/@{$tenant}/run" params={{ tenant }}>
          Run one here
        </Link>
        , or with the command line:
      </Empty>
    );
  return (
    <Table
      label="Tasks"
      className={styles.table}
      columns={columns}
      rows={rows}
      onOpen={({ id }) => void navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task: id } })}
    />
  );
}

const columns: Column<Task>[] = [
  { header: "Task", width: 7.6, cell: (task) => <TaskLink task={task} /> },
  { header: "State", width: 6.8, cell: (task) => <TaskState task={task} /> },
  { header: "Kind", width: 3, cell: ({ kind }) => kind },
  { header: "File", width: 4.4, grow: 0.8, cell: ({ key }) => <FileName name={fileNameOf(key)} /> },
  { header: "Created", width: 7, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: "Progress", width: 6.6, grow: 0.6, cell: (task) => <TaskProgress task={task} /> },
  { header: "Failed", width: 8, isFigure: true, cell: (task) => <Failed task={task} /> },
  { header: "Reason", width: 4.6, grow: 1.4, cell: (task) => <Reason task={task} /> },
  {
    header: "Operations",
    width: 5.5,
    isFigure: true,
    isExtra: true,
    cell: (task) => numbers(operationsOf(task)),
  },
  {
    header: "Rate",
    width: 4.5,
    isFigure: true,
    isExtra: true,
    cell: ({ progress }) => rate(progress.operationsPerSecond),
  },
  { header: "Time", width: 7.4, isFigure: true, cell: (task) => <TimeSpent task={task} /> },
  {
    header: "By",
    width: 5.2,
    isExtra: true,
    cell: ({ createdBy }) => <span title={createdBy}>{createdBy}</span>,
  },
];

const numbers = (count: number | null) => (count === null ? "–" : numberText(count));
const rate = (perSecond: number | null) => (perSecond === null ? "–" : rateText(perSecond));

function TaskLink({ task }: { task: Task }) {
  const tenant = useTenant();
  return (
    <Link to="/@{$tenant}/tasks/$task" params={{ tenant, task: task.id }} tabIndex={-1} title={task.id}>
      <code>{shortId(task.id)}</code>
    </Link>
  );
}

const FileName = ({ name }: { name: string | undefined }) => <span title={name}>{name ?? "–"}</span>;

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
function Failed({ task: { progress } }: { task: Task }) {
  const open = outcomesOf(progress);
  const isOpen = openFailuresOf(progress) > 0;
  return (
    <>
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
    </>
  );
}

/** The time left for a running task; otherwise the time it took. */
function TimeSpent({ task: { progress, startedAt, endedAt } }: { task: Task }) {
  if (progress.secondsLeft !== null && endedAt === null)
    return <>{durationText(progress.secondsLeft * 1_000)} left</>;
  return startedAt === null ? <>–</> : <Elapsed from={startedAt} to={endedAt} />;
}

function Reason({ task: { info, progress } }: { task: Task }) {
  const waiting = progress.waitingFor === null ? null : `waiting for ${progress.waitingFor}`;
  const reason = info === null ? waiting : info.error;
  return (
    <span className={styles.reason} title={reason ?? undefined}>
      {reason}
    </span>
  );
}

export const page = createLazyRoute("/@{$tenant}/tasks")({ component: TasksPage });
