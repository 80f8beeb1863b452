import { type KeyboardEvent, useEffect, useRef } from "react";
import { classNames } from "../../ui/class-names.ts";
import { numberText } from "../../ui/format.ts";
import { State } from "../../ui/values/state.tsx";
import styles from "./file.module.css";
import type { FileIssue } from "./issues.ts";

/** A file's issues ordered by position; the arrow keys move through them. The list is one Tab stop. */
export function IssueList({
  issues,
  current,
  onChoose,
}: {
  issues: readonly FileIssue[];
  /** The number of the selected issue. */
  current: number | undefined;
  onChoose: (issue: FileIssue) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const stop = current ?? issues[0]?.number;
  useEffect(() => {
    if (current === undefined) return;
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLButtonElement)) return;
    const items = [...(list.current?.querySelectorAll("button") ?? [])];
    const next = items[items.indexOf(event.target) + step];
    event.preventDefault();
    next?.focus();
    next?.click();
  };
  return (
    <ol ref={list} className={styles.issues} onKeyDown={onKeyDown}>
      {issues.map((issue) => (
        <li key={issue.number}>
          <button
            type="button"
            tabIndex={issue.number === stop ? 0 : -1}
            aria-current={issue.number === current}
            disabled={issue.offset === null}
            className={classNames(styles.issue, issue.number === current && styles.current)}
            onClick={() => onChoose(issue)}
          >
            <IssueText issue={issue} />
          </button>
        </li>
      ))}
    </ol>
  );
}

const IssueText = ({ issue: { severity, line, column, message, pointer } }: { issue: FileIssue }) => (
  <>
    <span className={styles.issueHead}>
      <State shape={severity === "error" ? "failed" : "warning"}>{severity}</State>
      {line !== null && (
        <span>
          line {numberText(line)}:{numberText(column ?? 1)}
        </span>
      )}
    </span>
    <span className={styles.reason}>{message}</span>
    <code>{pointer}</code>
  </>
);
