import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useRole, useTenant } from "../../api/session.ts";
import { NotifyButton } from "../../layout/end-notification.tsx";
import { Pending } from "../../layout/page-states.tsx";
import { usePageTitle } from "../../layout/page-title.ts";
import { numberText, percentText } from "../../ui/format.ts";
import { buttonClass } from "../../ui/input/button.tsx";
import { Tabs } from "../../ui/input/tabs.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { Id } from "../../ui/values/id.tsx";
import type { RateSample } from "../../ui/values/rate-line.tsx";
import { Time } from "../../ui/values/time.tsx";
import { PlanSummary } from "../plan/summary.tsx";
import { executedOf, operationsOf } from "../task-model/progress.ts";
import { waitingNote } from "../task-model/reason.ts";
import { stateOf, TaskName, TaskState } from "../task-model/states.tsx";
import { taskName, type taskTabs } from "../task-model/task.ts";
import { About } from "./about.tsx";
import { TaskActions } from "./actions.tsx";
import { hasFailuresFile } from "./actions-of.ts";
import { Causes, useCauses } from "./causes.tsx";
import { Compare } from "./compare.tsx";
import type { TaskDetails } from "./documents.ts";
import { Issues } from "./issues.tsx";
import { TaskLinks } from "./links.tsx";
import { useLiveTask } from "./live-task.ts";
import { Log } from "./log.tsx";
import { TaskProgress } from "./progress.tsx";
import styles from "./task.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task");

/** A task: its progress, the causes of its failures, its log, and its actions. */
function TaskPage() {
  const { tenant, task } = route.useParams();
  // Reset for another task: no dialog or figure of the previous one stays.
  return <OneTask key={`${tenant} ${task}`} tenant={tenant} id={task} />;
}

function OneTask({ tenant, id }: { tenant: string; id: string }) {
  const { query, samples } = useLiveTask(tenant, id);
  if (query.data === undefined) return <Pending query={query} title="This task cannot be shown" />;
  return <TaskView live={query.data} samples={samples} />;
}

/** The page of a task. Its failures are counted at the same moment as their causes below. */
function TaskView({ live, samples }: { live: TaskDetails; samples: readonly RateSample[] }) {
  const { data: counted } = useCauses(live);
  const task = counted === undefined ? live : { ...live, progress: counted.progress };
  usePageTitle(titleOf(task));
  const note = waitingNote(task);
  return (
    <Page className={styles.task}>
      <TaskHead task={task} />
      {task.info !== null && <p className={styles.info}>{task.info.error}</p>}
      {note !== null && <p className={styles.waiting}>{note}</p>}
      <TaskProgress task={task} samples={samples} />
      <TaskLinks task={task} />
      <TaskParts task={task} />
    </Page>
  );
}

/** `run spring.json · 43 %`, and its state once it does not run. */
function titleOf(task: TaskDetails): string {
  const total = operationsOf(task);
  const isRunning = task.status === "running" && task.heldAt === null && total !== null;
  return `${taskName(task)} · ${isRunning ? percentText(executedOf(task.progress), total) : stateOf(task)[1]}`;
}

function TaskHead({ task }: { task: TaskDetails }) {
  const tenant = useTenant();
  const role = useRole();
  const hasLog = task.prunedAt === null && task.progress.processed > 0;
  const address = `/@${tenant}/tasks/${task.id}`;
  const isOfFile = task.ofTask === null && (task.kind === "plan" || task.errorCount > 0);
  return (
    <PageHead
      crumbs={
        <Link to="/@{$tenant}/tasks" params={{ tenant }}>
          Tasks
        </Link>
      }
      title={<TaskName task={task} />}
      facts={
        <>
          <TaskState task={task} />
          <span className={styles.id}>
            <Id id={task.id} />
          </span>
          <span className="muted">
            {task.kind === "plan" ? "planned" : "created"} by <bdi>{task.createdBy}</bdi>,{" "}
            <Time at={task.createdAt} />
          </span>
        </>
      }
    >
      {role !== "reader" && isOfFile && (
        <Link to="/@{$tenant}/run" params={{ tenant }} search={{ task: task.id }} className={buttonClass()}>
          Edit the file
        </Link>
      )}
      {role === "admin" && hasFailuresFile(task) && (
        <a className={buttonClass()} href={`${address}/failures.json`} download>
          Download failures
        </a>
      )}
      {hasLog && (
        <a className={buttonClass()} href={`${address}/operations.jsonl`} download>
          Download log
        </a>
      )}
      {task.endedAt === null && <NotifyButton id={task.id} name={taskName(task)} />}
      <TaskActions task={task} />
    </PageHead>
  );
}

function TaskParts({ task }: { task: TaskDetails }) {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const issues = task.errorCount + task.warningCount;
  const change = (name: (typeof taskTabs)[number]) =>
    void navigate({ search: (now) => ({ ...now, tab: name }), replace: true });
  return (
    <Tabs
      value={tab ?? (task.errorCount > 0 ? "issues" : "log")}
      onChange={change}
      tabs={[
        {
          name: "log",
          label: task.kind === "plan" ? "Plan" : "Log",
          panel: (
            <div className={styles.panel}>
              {task.kind === "plan" && <PlanSummary task={task} />}
              <Causes task={task} />
              <Log task={task} />
            </div>
          ),
        },
        {
          name: "issues",
          label: issues === 0 ? "Issues" : `Issues (${numberText(issues)})`,
          panel: <Issues task={task} />,
        },
        { name: "about", label: "About", panel: <About task={task} /> },
        ...(task.kind === "run"
          ? [{ name: "compare" as const, label: "Compare", panel: <Compare task={task} /> }]
          : []),
      ]}
    />
  );
}

export const page = createLazyRoute("/@{$tenant}/tasks/$task")({ component: TaskPage });
