import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { numberText } from "../../ui/format.ts";
import { State, type StateShape } from "../../ui/values/state.tsx";
import type { TaskDetails } from "../task/documents.ts";
import { logActions, type logStatuses } from "../task-model/task.ts";
import { lossesOf } from "./losses.ts";
import styles from "./plan.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task");

/** A plan in short: what it would take away, and its operations by what they would do. Each filters the list. */
export const PlanSummary = ({ task }: { task: TaskDetails }) => (
  <>
    {task.destructive !== null && <Losses destructive={task.destructive} />}
    <Counts task={task} />
  </>
);

function Losses({ destructive }: { destructive: NonNullable<TaskDetails["destructive"]> }) {
  return (
    <section className={styles.losses} aria-labelledby="losses">
      <h2 id="losses">
        <State shape="warning">Would take away</State>
      </h2>
      <ul>
        {lossesOf(destructive).map(({ count, words, filter }) => (
          <li key={words}>
            <span className={styles.count}>{count !== undefined && numberText(count)}</span>
            <Filter search={filter}>{words}</Filter>
          </li>
        ))}
      </ul>
    </section>
  );
}

const shapes: Readonly<Record<(typeof logActions)[number], StateShape>> = {
  created: "created",
  updated: "updated",
  unchanged: "unchanged",
  deleted: "deleted",
  published: "done",
  unpublished: "stopped",
};

/** The operations of a plan by what they would do; the count that is chosen is that of the list below. */
function Counts({ task: { progress } }: { task: TaskDetails }) {
  const { status, action } = route.useSearch();
  return (
    <nav className={styles.counts} aria-label="Operations by what they would do">
      <Chip count={progress.processed - progress.skipped} search={{}} isChosen={!status && !action}>
        all
      </Chip>
      {logActions.map((each) => (
        <Chip key={each} count={progress[each] ?? 0} search={{ action: each }} isChosen={action === each}>
          <State shape={shapes[each]}>{each}</State>
        </Chip>
      ))}
      <Chip count={progress.partial} search={{ status: "partial" }} isChosen={status === "partial"}>
        <State shape="partial">would fail in part</State>
      </Chip>
      <Chip count={progress.failed} search={{ status: "failure" }} isChosen={status === "failure"}>
        <State shape="failed">would fail</State>
      </Chip>
    </nav>
  );
}

interface PlanFilter {
  action?: (typeof logActions)[number];
  status?: (typeof logStatuses)[number];
  intent?: string;
}

function Chip({
  count,
  search,
  isChosen,
  children,
}: {
  count: number;
  search: PlanFilter;
  isChosen: boolean;
  children: ReactNode;
}) {
  if (count === 0 && !isChosen) return null;
  return (
    <Filter search={search} isChosen={isChosen}>
      {children} <strong>{numberText(count)}</strong>
    </Filter>
  );
}

/** A link that narrows the list to some operations, and to nothing else. */
const Filter = ({
  search,
  isChosen,
  children,
}: {
  search: PlanFilter;
  isChosen?: boolean;
  children: ReactNode;
}) => (
  <Link
    from="/@{$tenant}/tasks/$task"
    search={({ tab }) => ({ tab, ...search })}
    replace
    aria-current={isChosen ? "true" : undefined}
    activeProps={{ "aria-current": isChosen ? "true" : undefined }}
  >
    {children}
  </Link>
);
