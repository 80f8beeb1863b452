import { isObject } from "@lading/schema/internal/is-object";
import type { ResultOf } from "../../api/graphql.ts";
import { countOf } from "../../ui/format.ts";
import { Diff } from "../../ui/values/diff.tsx";
import { Stored } from "../browse-model/stored.tsx";
import { ActionState } from "../task-model/states.tsx";
import type { changesFields } from "./documents.ts";
import styles from "./operation.module.css";

type OperationChanges = ResultOf<typeof changesFields>;

/** Why others than admins get no changes. */
export const onlyAdminsSee =
  "You cannot see the values before and after: they need the role admin, or planner for your own plans.";

/** The stored values an operation changed, or would change by a plan, before and after. */
export function Changes({
  changes,
  isPlan,
  unknown,
  output,
}: {
  changes: OperationChanges;
  isPlan: boolean;
  unknown: readonly string[];
  output: unknown;
}) {
  const { entities, more, isComplete } = changes;
  const names = namesOf(entities, output);
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
      {entities.map(({ entity, key, action, changedSince, values }, at) => (
        <Diff
          key={`${entity} ${JSON.stringify(key)}`}
          caption={
            <>
              <ActionState action={action} isPlan={isPlan} /> <Named name={names[at]} /> <code>{entity}</code>{" "}
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

const Named = ({ name }: { name: string | undefined }) => name && <Stored>{name}</Stored>;

type Entities = OperationChanges["entities"];

/** Values by which people know a row, the best first. */
const naming = ["/name", "/sku", "/resourceIdentifier", "/externalReference"];

/** The name of each row: a value of it or of another row with its id, else the SKU of the only variant. */
function namesOf(entities: Entities, output: unknown): (string | undefined)[] {
  const ids = entities.map(({ key }) => idIn(key));
  const variants = new Set(ids.filter((_, at) => isOfVariant(entities[at]?.entity)));
  const sku =
    isObject(output) && variants.size === 1 && typeof output.sku === "string" ? output.sku : undefined;
  return entities.map((own, at) => {
    // Ids that a plan created are all the same.
    const same = ids[at] === "new" ? [own] : entities.filter((_, other) => ids[other] === ids[at]);
    const values = naming.flatMap((pointer) =>
      same.flatMap(({ values }) => values.filter((value) => value.pointer === pointer)),
    );
    const named = values
      .map(({ before, after }) => after ?? before)
      .find((value) => typeof value === "string");
    return named ?? (isOfVariant(own.entity) ? sku : undefined);
  });
}

const isOfVariant = (entity: string | undefined) =>
  entity === "productVariant" || entity === "publishedVariant";

const idIn = (key: unknown): unknown => (isObject(key) ? Object.values(key)[0] : undefined);

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
