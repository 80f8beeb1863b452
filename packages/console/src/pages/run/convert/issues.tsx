import { countOf, numberText } from "../../../ui/format.ts";
import { State } from "../../../ui/values/state.tsx";
import runStyles from "../run.module.css";
import type { ConversionReport } from "../worker/jobs.ts";

/** The problems of the map, then the first issues of the table, errors before warnings. */
export function Issues({ report }: { report: ConversionReport }) {
  const { problems, issues, errorCount, warningCount } = report;
  const hidden = errorCount + warningCount - issues.length;
  if (problems.length + issues.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard.
    <ol className={runStyles.issues} aria-label="Issues" tabIndex={0}>
      {problems.map(({ line, column, message }, i) => (
        <Issue key={i} severity="error" where={[`map, line ${line}, column ${column}`]} message={message} />
      ))}
      {issues.map(({ severity, line, column, cell, message, table }, i) => (
        <Issue
          key={i}
          severity={severity}
          where={[
            ...(table === undefined ? [] : [`table ${table}`]),
            ...(line === null ? [] : [cell ?? `line ${numberText(line)}`]),
            ...(column === null ? [] : [column]),
          ]}
          message={message}
        />
      ))}
      {hidden > 0 && <li className={runStyles.hidden}>and {countOf(hidden, "more issue", "more issues")}</li>}
    </ol>
  );
}

function Issue({
  severity,
  where,
  message,
}: {
  severity: "error" | "warning";
  where: readonly string[];
  message: string;
}) {
  return (
    <li className={runStyles.issue}>
      <span className={runStyles.issueHead}>
        <State shape={severity === "error" ? "failed" : "warning"}>{severity}</State>
        {where.map((part) => (
          <span key={part}>{part}</span>
        ))}
      </span>
      <span>{message}</span>
    </li>
  );
}
