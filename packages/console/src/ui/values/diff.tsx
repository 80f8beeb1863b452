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
            {withBefore && <Value value={before} className={styles.before} />}
            {withAfter && <Value value={after} className={styles.after} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value, className }: { value: unknown; className: string | undefined }) {
  if (value === null || value === undefined) return <td>–</td>;
  return (
    <td className={className}>
      <code className={styles.value}>
        {typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value, null, 1)}
      </code>
    </td>
  );
}
