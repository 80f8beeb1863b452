import { type Action, actions, type OperationStatus } from "@lading/schema/internal/bulk-task";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { State } from "../../ui/values/state.tsx";
import type { TaskDetails } from "../task/documents.ts";
import { ActionState } from "../task-model/states.tsx";
import { lossesOf } from "./losses.ts";
import styles from "./plan.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task");

/** A plan's summary: what it would remove, and its operations by outcome. Each entry filters the list. */
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
        <State shape="warning">Would remove</State>
      </h2>
      <ul>
        {lossesOf(destructive).map(({ count, words, filter }) => (
          <li key={words}>
            <span className={styles.count}>{count !== undefined && numberText(count)}</span>
            <Link from="/@{$tenant}/tasks/$task" search={({ tab }) => ({ tab, ...filter })} replace>
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A plan's operations by outcome; the selected count is that of the list below. */
function Counts({ task: { progress } }: { task: TaskDetails }) {
  const { status, action } = route.useSearch();
  return (
    <section className={styles.counts} aria-label="Operations by what they would do">
      <Count count={progress.processed - progress.skipped} search={{}} isChosen={!status && !action}>
        all
      </Count>
      {actions.map((each) => (
        <Count key={each} count={progress[each]} search={{ action: each }} isChosen={action === each}>
          <ActionState action={each} isPlan />
        </Count>
      ))}
      <Count count={progress.partial} search={{ status: "partial" }} isChosen={status === "partial"}>
        <State shape="partial">would partly fail</State>
      </Count>
      <Count count={progress.failed} search={{ status: "failure" }} isChosen={status === "failure"}>
        <State shape="failed">would fail</State>
      </Count>
    </section>
  );
}

interface CountProps {
  count: number;
  search: { action?: Action; status?: OperationStatus };
  isChosen: boolean;
  children: ReactNode;
}

/** A number of operations that, when selected, becomes the list's only filter. */
function Count({ count, search, isChosen, children }: CountProps) {
  const navigate = route.useNavigate();
  if (count === 0 && !isChosen) return null;
  return (
    <Button
      kind="pill"
      aria-pressed={isChosen}
      onClick={() => void navigate({ search: ({ tab }) => ({ tab, ...search }), replace: true })}
    >
      {children} <strong>{numberText(count)}</strong>
    </Button>
  );
}
