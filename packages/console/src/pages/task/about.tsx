import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { numberText } from "../../ui/format.ts";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import { Fact, Facts, Part } from "../browse-model/facts.tsx";
import { fileNameOf } from "../task-model/task.ts";
import { historyDocument, type TaskDetails } from "./documents.ts";
import styles from "./task.module.css";

/** A task's options and file, and who did what with it. */
export function About({ task }: { task: TaskDetails }) {
  const tenant = useTenant();
  const { data } = useQuery({
    queryKey: ["task", tenant, task.id, "history"],
    queryFn: ({ signal }) => request(tenant, historyDocument, { id: task.id }, signal),
  });
  return (
    <div className={styles.about}>
      <Facts>
        <Fact name="Id">
          <Id id={task.id} />
        </Fact>
        <Fact name="File">
          <FileLink task={task} />
        </Fact>
        <Fact name="SHA-256">{task.sha256 === null ? "–" : <Id id={task.sha256} name="digest" />}</Fact>
        <Fact name="Max failures">
          {task.maxFailures === null ? "no limit" : numberText(task.maxFailures)}
        </Fact>
        {task.onFailure !== null && <Fact name="On failure">undo</Fact>}
        <Fact name="Hold after">
          {task.holdAfter === null ? "–" : `${numberText(task.holdAfter)} operations`}
        </Fact>
        <Fact name="Hold at">
          {task.holdOnFailures === null ? "–" : `${numberText(task.holdOnFailures)} failures`}
        </Fact>
        <Fact name="Strict">{task.strict ? "yes" : "no"}</Fact>
        {task.include !== null && (
          <Fact name="Retries">{task.include.join(", ").toLowerCase().replaceAll("_", " ")}</Fact>
        )}
        <Fact name="Created">
          <Time at={task.createdAt} />
        </Fact>
        {task.startAt !== null && (
          <Fact name="Starts at">
            <Time at={task.startAt} />
          </Fact>
        )}
        <Fact name="Ended">
          <Time at={task.endedAt} />
        </Fact>
      </Facts>
      <Part title="History">
        <ul className={styles.history}>
          {data !== undefined &&
            success(data.auditTrail).edges.map(({ node }) => (
              <li key={node.id}>
                <Time at={node.at} /> <strong>{node.action.replace("bulkTask.", "")}</strong> by{" "}
                {node.personName ?? node.accessTokenName ?? node.actor}
              </li>
            ))}
        </ul>
      </Part>
    </div>
  );
}

const FileLink = ({ task: { id, key } }: { task: TaskDetails }) => (
  <Link to="/@{$tenant}/tasks/$task/file" params={{ tenant: useTenant(), task: id }} title={key}>
    <bdi>{fileNameOf(key) ?? key}</bdi>
  </Link>
);
