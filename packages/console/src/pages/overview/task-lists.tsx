import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTenant } from "../../api/session.ts";
import { countOf, durationText, numberText, percentText, rateText } from "../../ui/format.ts";
import { State } from "../../ui/values/state.tsx";
import { Time } from "../../ui/values/time.tsx";
import { lossesOf } from "../plan/losses.ts";
import { expectedText } from "../task-model/outcome.ts";
import type { TaskOverview } from "../task-model/overview.ts";
import { executedOf, openFailuresOf, operationsOf } from "../task-model/progress.ts";
import { ProgressBar } from "../task-model/progress-bar.tsx";
import { reasonText } from "../task-model/reason.ts";
import { TaskState } from "../task-model/states.tsx";
import { type Task, type taskViews, viewCountText } from "../task-model/task.ts";
import { TaskLink } from "../task-model/task-link.tsx";
import styles from "./overview.module.css";

/** Tasks shown of each list; the list of tasks has the others. */
const mostShown = 5;

/** Running tasks, then those that wait for their turn. */
export function Running({ overview: { counts, unfinished } }: { overview: TaskOverview }) {
  const open = unfinished.filter(({ heldAt }) => heldAt === null);
  const running = [
    ...open.filter(({ status }) => status === "running"),
    ...open.filter(({ status }) => status !== "running"),
  ];
  return (
    <Section title="Running" view="running" count={counts.running} nothing="No tasks are running.">
      {running.slice(0, mostShown).map((task) => (
        <Entry key={task.id} task={task} facts={<TaskState task={task} />} time={task.startedAt}>
          {task.status === "running" && <ProgressBar task={task} />}
          <p>{progressText(task)}</p>
        </Entry>
      ))}
    </Section>
  );
}

/** `43 % of 12,000 operations · 1,200/s · 3 min left · 12 failed`, or what the task waits for. */
function progressText(task: Task): string {
  const { progress } = task;
  const { operationsPerSecond, secondsLeft } = progress;
  const total = operationsOf(task);
  const failed = openFailuresOf(progress);
  return [
    reasonText(task) ??
      (total === null
        ? "reading the file"
        : `${percentText(executedOf(progress), total)} of ${countOf(total, "operation")}`),
    ...(operationsPerSecond === null ? [] : [rateText(operationsPerSecond)]),
    ...(secondsLeft === null ? [] : [`${durationText(secondsLeft * 1_000)} left`]),
    ...(failed === 0 ? [] : [`${numberText(failed)} failed`]),
  ].join(" · ");
}

/** Failed tasks that nobody has repaired or undone. */
export function OpenFailures({ overview: { counts, openFailures } }: { overview: TaskOverview }) {
  const tenant = useTenant();
  return (
    <Section
      title="Open failures"
      view="openFailures"
      count={counts.openFailures}
      nothing="No open failures."
    >
      {openFailures.slice(0, mostShown).map((task) => (
        <Entry key={task.id} task={task} facts={<TaskState task={task} />} time={task.endedAt}>
          <p className={styles.cause}>
            <Link
              to="/@{$tenant}/tasks/$task"
              params={{ tenant, task: task.id }}
              search={{ unrepaired: true }}
            >
              {countOf(openFailuresOf(task.progress), "open failure")}
            </Link>{" "}
            of {countOf(executedOf(task.progress), "operation")}: {reasonText(task)}
          </p>
        </Entry>
      ))}
    </Section>
  );
}

/** Tasks that somebody must resume; others may wait for them. */
export function Held({ overview: { counts, unfinished } }: { overview: TaskOverview }) {
  if (counts.held === 0) return null;
  const held = unfinished.filter(({ heldAt }) => heldAt !== null);
  return (
    <Section title="Held" view="held" count={counts.held}>
      {held.slice(0, mostShown).map((task) => (
        <Entry key={task.id} task={task} facts={<TaskState task={task} />} time={task.heldAt}>
          <ProgressBar task={task} />
          <p>{reasonText(task)}</p>
        </Entry>
      ))}
    </Section>
  );
}

/** Plans that nobody has followed. */
export const Planned = ({ overview: { counts, planned } }: { overview: TaskOverview }) => (
  <Section title="Plans to approve" view="planned" count={counts.planned} nothing="No plans to approve.">
    {planned.slice(0, mostShown).map((task) => (
      <Entry key={task.id} task={task} time={task.endedAt}>
        <p>{expectedText(task.progress)}</p>
        {task.destructive !== null && <Losses destructive={task.destructive} />}
      </Entry>
    ))}
  </Section>
);

function Losses({
  destructive,
}: {
  destructive: NonNullable<TaskOverview["planned"][number]["destructive"]>;
}) {
  const losses = lossesOf(destructive).map(({ count, words }) =>
    count === undefined ? words : `${numberText(count)} ${words}`,
  );
  return (
    <p>
      <State shape="warning">would remove</State> {losses.join(", ")}
    </p>
  );
}

interface SectionProps {
  title: string;
  view: (typeof taskViews)[number];
  count: number;
  /** The text of an empty list. */
  nothing?: string;
  children: ReactNode[];
}

/** The newest tasks of a view, with their number and a link to all of them. */
function Section({ title, view, count, nothing, children }: SectionProps) {
  const tenant = useTenant();
  return (
    <section className={styles.section} aria-labelledby={view}>
      <h2 id={view}>
        {title} <span className={styles.count}>{viewCountText(count)}</span>
      </h2>
      {children.length > 0 ? <ul>{children}</ul> : <p className={styles.nothing}>{nothing}</p>}
      {count > children.length && (
        <Link to="/@{$tenant}/tasks" params={{ tenant }} search={{ view }}>
          View all {viewCountText(count)}
        </Link>
      )}
    </section>
  );
}

interface EntryProps {
  task: Task;
  /** Next to the name. */
  facts?: ReactNode;
  /** The time that matters: since when, or when it ended. */
  time: string | null;
  children: ReactNode;
}

function Entry({ task, facts, time, children }: EntryProps) {
  return (
    <li className={styles.entry}>
      <div className={styles.entryHead}>
        <span className={styles.name}>
          <TaskLink task={task} />
        </span>
        {facts}
        <span className={styles.who}>
          <bdi>{task.createdBy}</bdi> · <Time at={time} />
        </span>
      </div>
      {children}
    </li>
  );
}
