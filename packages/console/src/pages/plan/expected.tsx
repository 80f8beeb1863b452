import { numberText } from "../../ui/format.ts";
import { State } from "../../ui/values/state.tsx";
import type { TaskDetails } from "../task/documents.ts";
import { expectedText } from "../task-model/outcome.ts";
import { lossesOf } from "./losses.ts";
import styles from "./plan.module.css";

/** The expected effects of following a plan, to confirm them: counts, and what would be removed. */
export function Expected({ plan: { progress, destructive } }: { plan: TaskDetails }) {
  return (
    <>
      <p>{expectedText(progress)}.</p>
      {destructive !== null && (
        <div className={styles.expected}>
          <State shape="warning">Would remove</State>
          <ul>
            {lossesOf(destructive).map(({ count, words }) => (
              <li key={words}>
                {count !== undefined && numberText(count)} {words}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
