import { type KeyboardEvent, useState } from "react";
import { countOf, numberText } from "../../ui/format.ts";
import { State } from "../../ui/values/state.tsx";
import styles from "./run.module.css";
import type { CheckReport } from "./worker/jobs.ts";

type Issue = CheckReport["issues"][number];

/** A file's issues, errors first. The arrow keys select one; a click, or Enter, shows its position. */
export function IssueList({ report, onShow }: { report: CheckReport; onShow: (issue: Issue) => void }) {
  const [chosen, setChosen] = useState(0);
  const { issues, errorCount, warningCount } = report;
  const active = Math.min(chosen, issues.length - 1);
  const hidden = errorCount + warningCount - issues.length;
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const target = nextIndex(event.key, active, issues.length);
    if (target === undefined) return;
    event.preventDefault();
    setChosen(target);
    event.currentTarget.closest("ol")?.querySelectorAll("button")[target]?.focus();
  };
  return (
    <ol className={styles.issues} aria-label="Issues">
      {issues.map((issue, i) => (
        <li key={i}>
          <button
            type="button"
            tabIndex={i === active ? 0 : -1}
            onKeyDown={onKeyDown}
            onFocus={() => setChosen(i)}
            onClick={() => onShow(issue)}
          >
            <IssueText issue={issue} />
          </button>
        </li>
      ))}
      {hidden > 0 && <li className={styles.hidden}>and {countOf(hidden, "more issue", "more issues")}</li>}
    </ol>
  );
}

function IssueText({
  issue: { severity, line, column, operationIndex, intent, code, message },
}: {
  issue: Issue;
}) {
  return (
    <>
      <span className={styles.issueHead}>
        <State shape={severity === "error" ? "failed" : "warning"}>{severity}</State>
        {line !== null && (
          <span>
            line {numberText(line)}, column {numberText(column ?? 1)}
          </span>
        )}
        {operationIndex !== null && (
          <span>
            #{numberText(operationIndex)} {intent}
          </span>
        )}
        <code title={code}>{code}</code>
      </span>
      <span>{message}</span>
    </>
  );
}

function nextIndex(key: string, active: number, count: number): number | undefined {
  if (key === "ArrowDown") return Math.min(active + 1, count - 1);
  if (key === "ArrowUp") return Math.max(active - 1, 0);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
