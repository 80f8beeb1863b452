import { classNames } from "../../../ui/class-names.ts";
import { numberText } from "../../../ui/format.ts";
import { State } from "../../../ui/values/state.tsx";
import type { ConversionReport, PreviewRow, TableIssue } from "../worker/jobs.ts";
import styles from "./convert.module.css";

/** The first rows next to the operations that they become, then the first of the others that have errors. */
export function Preview({ report }: { report: ConversionReport }) {
  const { table, columns, groups, issues } = report;
  const ofTable = issues.filter(({ table, severity }) => table === undefined && severity === "error");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard.
    <section className={styles.preview} aria-label="Preview" tabIndex={0}>
      {groups.length > 0
        ? groups.map(({ rows, operations }) => (
            <article key={rows[0]?.line} className={styles.group}>
              <div>
                {rows.map((row) => (
                  <Row key={row.line} row={row} columns={columns} issues={ofTable} />
                ))}
              </div>
              <div>
                {operations.map((text, i) => (
                  <pre key={i}>{text}</pre>
                ))}
              </div>
            </article>
          ))
        : table?.rows.map((row) => <Row key={row.line} row={row} columns={table.columns} issues={ofTable} />)}
    </section>
  );
}

/** The cells of a row that are not empty, or wrong. */
function Row({
  row: { line, cells },
  columns,
  issues,
}: {
  row: PreviewRow;
  columns: readonly string[];
  issues: readonly TableIssue[];
}) {
  const own = issues.filter((issue) => issue.line === line);
  return (
    <section className={styles.row} aria-label={`Line ${line}`}>
      <h2>Line {numberText(line)}</h2>
      {own
        .filter(({ column }) => column === null || !columns.includes(column))
        .map(({ message }) => (
          <State key={message} shape="failed">
            {message}
          </State>
        ))}
      <dl>
        {columns.map((name, i) => {
          const cell = cells[i] ?? "";
          const wrong = own.find(({ column }) => column === name);
          if (cell === "" && wrong === undefined) return null;
          return (
            <div key={name} className={classNames(wrong && styles.wrong)}>
              <dt>{name}</dt>
              <dd>
                <span>{cell}</span>
                {wrong !== undefined && <State shape="failed">{wrong.message}</State>}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
