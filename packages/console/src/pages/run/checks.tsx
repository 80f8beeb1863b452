import { Empty, ErrorNote } from "../../ui/feedback/feedback.tsx";
import { countOf, percentText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { State } from "../../ui/values/state.tsx";
import { IssueList } from "./issue-list.tsx";
import styles from "./run.module.css";
import type { Check } from "./use-check.ts";
import type { CheckReport } from "./worker/jobs.ts";

interface ChecksProps {
  check: Check & { recheck: () => void };
  size: number;
  onShow: (issue: CheckReport["issues"][number]) => void;
  /** Writes the skeleton of a file into the editor; undefined until there is an editor. */
  onBegin: (() => void) | undefined;
}

export function Checks({ check, size, onShow, onBegin }: ChecksProps) {
  if (size === 0) return <NoFile onBegin={onBegin} />;
  const { report, error, recheck } = check;
  return (
    <section className={styles.checks} aria-label="Checks">
      <Summary check={check} size={size} />
      {error !== undefined && <ErrorNote error={error} onRetry={recheck} />}
      {report !== undefined && report.issues.length > 0 && <IssueList report={report} onShow={onShow} />}
    </section>
  );
}

function Summary({ check: { report, bytes }, size }: { check: Check; size: number }) {
  return (
    <div className={styles.summary} role="status">
      {report !== undefined && <Counts report={report} />}
      {bytes !== undefined && <span>Checking … {bytes > 0 && percentText(bytes, size)}</span>}
    </div>
  );
}

function Counts({ report: { operations, errorCount, warningCount } }: { report: CheckReport }) {
  const hasIssues = errorCount + warningCount > 0;
  return (
    <>
      <strong>{countOf(operations, "operation")}</strong>
      {errorCount > 0 && <State shape="failed">{countOf(errorCount, "error")}</State>}
      {warningCount > 0 && <State shape="warning">{countOf(warningCount, "warning")}</State>}
      {!hasIssues && <State shape="done">no issues</State>}
    </>
  );
}

function NoFile({ onBegin }: Pick<ChecksProps, "onBegin">) {
  return (
    <section className={styles.checks} aria-label="Checks">
      <Empty title="No file yet">
        Drop a mass operation file anywhere on this page, choose one, paste it or type it: <code>.json</code>{" "}
        or <code>.json.gz</code>. Or drop a table, <code>.csv</code>, <code>.xlsx</code> or{" "}
        <code>.ndjson</code>, and convert it to one. All of it is checked here, and sent to the service only
        when planned or run.
      </Empty>
      <div className={styles.begin}>
        <Button disabled={onBegin === undefined} onClick={onBegin}>
          Insert an empty file
        </Button>
      </div>
    </section>
  );
}
