import { percentText } from "../../ui/format.ts";
import type { Task } from "./task.ts";
import styles from "./task-model.module.css";

/** The progress of a task: its successes, partial successes and failures among the operations that it is to execute. */
export function ProgressBar({ progress }: { progress: Pick<Task, "progress">["progress"] }) {
  const total = operationsOf(progress);
  const parts = ["succeeded", "partial", "failed"] as const;
  const share = (count: number) => ({
    width: `${total === null || total === 0 ? 0 : (count / total) * 100}%`,
  });
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label="Progress"
      aria-valuenow={executedOf(progress)}
      aria-valuemin={0}
      aria-valuemax={total ?? undefined}
      aria-valuetext={total === null ? "not known yet" : percentText(executedOf(progress), total)}
    >
      {parts.map((part) => (
        <span key={part} className={styles[part]} style={share(progress[part])} />
      ))}
    </div>
  );
}

/** The operations that a task has executed, without those that a retry passes over. */
export const executedOf = ({ succeeded, partial, failed }: Task["progress"]) => succeeded + partial + failed;

/** The operations that a task is to execute; null until its file has been read. */
export const operationsOf = ({ toExecute, total }: Task["progress"]) => toExecute ?? total;
