import { Link } from "@tanstack/react-router";
import { useRole } from "../../api/session.ts";
import { numberText } from "../../ui/format.ts";
import { Button, buttonClass } from "../../ui/input/button.tsx";
import { PageHead } from "../../ui/page/page.tsx";
import { TaskName } from "../task-model/states.tsx";
import { OperationLink } from "../task-model/task-link.tsx";
import type { OperationPosition } from "./documents.ts";
import styles from "./file.module.css";
import type { FileIssue } from "./issues.ts";

interface HeadProps {
  tenant: string;
  task: string;
  file: Parameters<typeof TaskName>[0]["task"];
  issues: readonly FileIssue[];
  chosen: FileIssue | undefined;
  onStep: (by: 1 | -1) => void;
}

/** The page's position, the navigation through the issues, and the actions on the file. */
export function FileHead({ tenant, task, file, issues, chosen, onStep }: HeadProps) {
  const role = useRole();
  return (
    <PageHead
      title="File"
      crumbs={
        <>
          <Link to="/@{$tenant}/tasks" params={{ tenant }}>
            Tasks
          </Link>
          <Link to="/@{$tenant}/tasks/$task" params={{ tenant, task }} title={task}>
            <TaskName task={file} />
          </Link>
        </>
      }
    >
      {issues.length > 0 && <IssueSteps {...{ issues, chosen, onStep }} />}
      <a className={buttonClass()} href={`/@${tenant}/tasks/${task}/file`} download>
        Download
      </a>
      {role !== "reader" && (
        <Link to="/@{$tenant}/run" params={{ tenant }} search={{ task }} className={buttonClass()}>
          {role === "planner" ? "Edit and plan again" : "Edit and run again"}
        </Link>
      )}
    </PageHead>
  );
}

function IssueSteps({ issues, chosen, onStep }: Pick<HeadProps, "issues" | "chosen" | "onStep">) {
  const position = chosen === undefined ? -1 : issues.indexOf(chosen);
  return (
    <div className={styles.steps}>
      <span role="status">
        {chosen === undefined ? "Issues: " : `Issue ${numberText(position + 1)} of `}
        {numberText(issues.length)}
        {chosen !== undefined && (
          <span className="visually-hidden">
            : {chosen.severity}, line {chosen.line}: {chosen.message}
          </span>
        )}
      </span>
      <Button onClick={() => onStep(-1)} aria-keyshortcuts="p" title="Previous issue (p)">
        Previous
      </Button>
      <Button onClick={() => onStep(1)} aria-keyshortcuts="n" title="Next issue (n)">
        Next
      </Button>
    </div>
  );
}

/** The requested operation, and its bytes or the reason why they are unknown. */
export function OperationLine({
  task,
  index,
  position,
  isIssueShown,
}: {
  task: string;
  index: number;
  position: OperationPosition | null;
  /** True if an issue has a position. */
  isIssueShown: boolean;
}) {
  const link = (
    <OperationLink task={task} index={index}>
      Operation {numberText(index)}
    </OperationLink>
  );
  if (position?.offset == null || position.length === null)
    return (
      <p className={styles.operation}>
        {position === null ? `Operation ${numberText(index)}` : link}
        {isIssueShown
          ? " was not executed; its issue is shown instead"
          : " cannot be located: it was not executed"}
      </p>
    );
  return (
    <p className={styles.operation}>
      {link}: bytes {numberText(position.offset)} to {numberText(position.offset + position.length - 1)}
    </p>
  );
}
