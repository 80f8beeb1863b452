import { numberText, percentText } from "../../ui/format.ts";
import { executedOf, operationsOf, outcomesOf } from "./progress.ts";
import type { Task } from "./task.ts";
import styles from "./task-model.module.css";

/** A task's progress: its operations by outcome, out of those it will execute. */
export function ProgressBar({ task }: { task: Pick<Task, "kind" | "progress"> }) {
  const total = operationsOf(task);
  const executed = executedOf(task.progress);
  const outcomes = outcomesOf(task.progress);
  const share = (count: number) => ({
    width: `${total === null || total === 0 ? 0 : (count / total) * 100}%`,
  });
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label="Progress"
      aria-valuenow={executed}
      aria-valuemin={0}
      aria-valuemax={total ?? undefined}
      aria-valuetext={
        total === null ? "not known yet" : [percentText(executed, total), ...words(outcomes)].join(", ")
      }
    >
      {parts.map((part) => (
        <span key={part} className={styles[part]} style={share(outcomes[part])} />
      ))}
    </div>
  );
}

const parts = ["succeeded", "repaired", "partial", "failed"] as const;

const partWords = { repaired: "repaired", partial: "partly failed", failed: "failed" };

const words = (outcomes: ReturnType<typeof outcomesOf>) =>
  (["repaired", "partial", "failed"] as const).flatMap((part) =>
    outcomes[part] > 0 ? `${numberText(outcomes[part])} ${partWords[part]}` : [],
  );
