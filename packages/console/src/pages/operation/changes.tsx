import type { ResultOf } from "../../api/graphql.ts";
import { countOf } from "../../ui/format.ts";
import { Diff } from "../../ui/values/diff.tsx";
import { ActionState } from "../task-model/states.tsx";
import type { changesFields } from "./documents.ts";
import styles from "./operation.module.css";

type OperationChanges = ResultOf<typeof changesFields>;

/** The stored values an operation changed, or would change by a plan, before and after. */
export function Changes({
  changes,
  isPlan,
  unknown,
}: {
  changes: OperationChanges;
  isPlan: boolean;
  unknown: readonly string[];
}) {
  const { entities, more, isComplete } = changes;
  const isOld = !isPlan && !hasAfter(changes);
  return (
    <section className={styles.changes}>
      <h2>{isPlan ? "Would change" : "Changed"}</h2>
      {isOld && (
        <p className="muted">
          The values after the change are unknown: they were removed, or the task ran on an earlier version,
          which stored only the values before.
        </p>
      )}
      {entities.map(({ entity, key, action, changedSince, values }) => (
        <Diff
          key={`${entity} ${JSON.stringify(key)}`}
          caption={
            <>
              <ActionState action={action} isPlan={isPlan} /> <code>{entity}</code>{" "}
              <code>{keyText(key)}</code>
              {changedSince && " has changed since; its values at creation are in the operation below"}
            </>
          }
          changes={values}
          withBefore={action !== "created"}
          withAfter={action !== "deleted" && !isOld}
        />
      ))}
      {(more > 0 || !isComplete) && (
        <p className="muted">
          {more > 0 ? `${countOf(more, "value or entity", "values and entities")} are` : "More changes are"}{" "}
          not listed here: the operation is too large.
        </p>
      )}
      {unknown.length > 0 && (
        <p className="muted">
          Known only when the file runs: <code>{unknown.join(", ")}</code>
        </p>
      )}
    </section>
  );
}

/** `{"sku": "a"}` → `sku "a"` */
const keyText = (key: unknown): string =>
  typeof key === "object" && key !== null
    ? Object.entries(key)
        .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
        .join(", ")
    : JSON.stringify(key);

/** False if something was updated, and no value after is known. */
const hasAfter = ({ entities }: OperationChanges): boolean => {
  const updates = entities.filter(({ action }) => action === "updated").flatMap(({ values }) => values);
  return updates.length === 0 || updates.some(({ after }) => after !== null);
};
