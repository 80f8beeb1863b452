import type { ReactNode } from "react";
import { HeadRow } from "../table/plain-table.tsx";
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
        <HeadRow names={["Value", ...(withBefore ? ["Before"] : []), ...(withAfter ? ["After"] : [])]} />
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
    <td className={className}>
      <code className={styles.value}>
        <span className={styles.mark}>{mark}</span>
        {typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value, null, 1)}
      </code>
    </td>
  );
}
