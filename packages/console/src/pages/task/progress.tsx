import { keysOf } from "@lading/schema/internal/tables";
import type { ReactNode } from "react";
import { durationText, numberText, percentText, rateText } from "../../ui/format.ts";
import { RateLine, type RateSample } from "../../ui/values/rate-line.tsx";
import { Elapsed, Time } from "../../ui/values/time.tsx";
import { executedOf, openFailuresOf, operationsOf } from "../task-model/progress.ts";
import { ProgressBar } from "../task-model/progress-bar.tsx";
import type { TaskDetails } from "./documents.ts";
import styles from "./task.module.css";

/**
 * A task's progress and results, with its rate since the page was opened. All times are those of its commits: the rate
 * times the time it is over gives the operations.
 */
export function TaskProgress({ task, samples }: { task: TaskDetails; samples: readonly RateSample[] }) {
  const { progress } = task;
  const total = operationsOf(task);
  const isMost = total !== null && isUndo(task) && progress.processed < (progress.total ?? 0);
  const executed = executedOf(progress);
  const isPlan = task.kind === "plan";
  return (
    <section className={styles.progress} aria-label="Progress">
      <ProgressBar task={task} />
      <dl className={styles.figures}>
        <Figure name={isPlan ? "Planned" : "Executed"}>
          {numberText(executed)}
          {total !== null && ` of ${isMost ? "at most " : ""}${numberText(total)}`}
          {total !== null && total > 0 && executed < total && ` · ${percentText(executed, total)}`}
        </Figure>
        <Figure name={isPlan ? "Would fail" : "Failed"}>
          <Failures progress={progress} />
        </Figure>
        {/* A plan shows them as filters of its list. */}
        {(isPlan ? [] : actionsDone(progress)).map(([action, count]) => (
          <Figure key={action} name={action}>
            {numberText(count)}
          </Figure>
        ))}
        <Figure name="Average rate">
          <AverageRate progress={progress} />
        </Figure>
        <Figure name="Started">
          <Time at={task.startedAt} />
        </Figure>
        <TimeFigures task={task} />
      </dl>
      <RateLine samples={samples} label="Rate since this page was opened" />
    </section>
  );
}

/** The rate, and the time it is over: from the first operation to the last commit. */
function AverageRate({
  progress: { operationsPerSecond, startedAt, updatedAt },
}: Pick<TaskDetails, "progress">) {
  if (operationsPerSecond === null || startedAt === null || updatedAt === null) return "–";
  const elapsed = Date.parse(updatedAt) - Date.parse(startedAt);
  return `${rateText(operationsPerSecond)} over ${durationText(elapsed)}`;
}

function TimeFigures({ task: { progress, startedAt, endedAt } }: { task: TaskDetails }) {
  if (endedAt !== null)
    return (
      startedAt !== null && (
        <Figure name="Duration">
          <Elapsed from={startedAt} to={endedAt} />
        </Figure>
      )
    );
  return (
    <>
      {progress.secondsLeft !== null && (
        <Figure name="Time left">{durationText(progress.secondsLeft * 1_000)}</Figure>
      )}
      {progress.updatedAt !== null && (
        <Figure name="Updated">
          <Time at={progress.updatedAt} />
        </Figure>
      )}
    </>
  );
}

/** True for an undo and its plan, which skip operations that wrote nothing. */
const isUndo = ({ kind, ofTask }: TaskDetails) => kind === "undo" || (kind === "plan" && ofTask !== null);

function Failures({ progress }: Pick<TaskDetails, "progress">) {
  const { failed, partial, repaired } = progress;
  const parts = [
    numberText(failed),
    ...(partial > 0 ? [`${numberText(partial)} partial`] : []),
    ...(repaired > 0 ? [`${numberText(repaired)} repaired`] : []),
  ];
  return (
    <span className={openFailuresOf(progress) > 0 ? styles.failed : undefined}>{parts.join(" · ")}</span>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const actionWords = {
  created: "Created",
  updated: "Updated",
  unchanged: "Unchanged",
  deleted: "Deleted",
  published: "Published",
  unpublished: "Unpublished",
} as const;

function actionsDone(progress: TaskDetails["progress"]): [string, number][] {
  return keysOf(actionWords).flatMap((action): [string, number][] =>
    progress[action] === 0 ? [] : [[actionWords[action], progress[action]]],
  );
}
