import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./diff.module.css";

/** A value that changed. Undefined means unknown; null means absent. */
export interface ValueChange {
  pointer: string;
  before: unknown;
  after: unknown;
}

/** Values before and after, side by side; only one of them if the other is unknown or absent. */
export function Diff({
  caption,
  changes,
  withBefore = true,
  withAfter,
}: {
  caption: ReactNode;
  changes: readonly ValueChange[];
  withBefore?: boolean;
  withAfter: boolean;
}) {
  return (
    <table className={styles.diff}>
      <caption>{caption}</caption>
      {changes.length > 0 && (
        <thead>
          <tr>
            <th scope="col">Value</th>
            {withBefore && <th scope="col">Before</th>}
            {withAfter && <th scope="col">After</th>}
          </tr>
        </thead>
      )}
      <tbody>
        {changes.map(({ pointer, before, after }) => (
          <tr key={pointer}>
            <th scope="row">
              <code>{pointer || "/"}</code>
            </th>
            {withBefore && <Value value={before} mark="−" className={styles.before} />}
            {withAfter && <Value value={after} mark="+" className={styles.after} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value, mark, className }: { value: unknown; mark: string; className: string | undefined }) {
  if (value === null || value === undefined) return <td>–</td>;
  return (
    <td className={classNames(className)}>
      <code className={styles.value}>
        <span className={styles.mark}>{mark}</span>
        {typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value, null, 1)}
      </code>
    </td>
  );
}
