import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { Refused, success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { Pending } from "../../layout/page-states.tsx";
import { usePageTitle } from "../../layout/page-title.ts";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { durationText, numberText } from "../../ui/format.ts";
import { buttonClass } from "../../ui/input/button.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { Json, JsonText } from "../../ui/values/json.tsx";
import { Time } from "../../ui/values/time.tsx";
import { Part } from "../browse-model/facts.tsx";
import { SkuLink } from "../browse-model/links.tsx";
import { plannedMessage } from "../task-model/outcome.ts";
import { LogState, TaskName } from "../task-model/states.tsx";
import { taskName } from "../task-model/task.ts";
import { OperationLink } from "../task-model/task-link.tsx";
import { Changes } from "./changes.tsx";
import { type Operation, operationDocument, type Task } from "./documents.ts";
import styles from "./operation.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task/operations/$index");

/** An operation: its position in the file, its input, what was executed, its result, and the values it changed. */
function OperationPage() {
  const { tenant, task, index } = route.useParams();
  const query = useQuery({
    queryKey: ["task", tenant, task, "operation", index],
    queryFn: async ({ signal }) => {
      const answer = await request(tenant, operationDocument, { id: task, index: numberOf(index) }, signal);
      return success(answer.bulkTask);
    },
    // It may meanwhile be executed, repaired or undone.
    refetchInterval: 15_000,
  });
  const { data } = query;
  usePageTitle(data && `operation ${index} · ${taskName(data)}`);
  if (query.error !== null || data === undefined)
    return <Pending query={query} title="This operation cannot be shown" />;
  const { operation, kind } = data;
  return (
    <Page>
      <OperationHead task={data} />
      <div className={styles.parts}>
        {operation === null ? (
          <Empty title="This operation has no log entry">
            It was not executed in this task, or its log was removed.
          </Empty>
        ) : (
          <OperationParts operation={operation} isPlan={kind === "plan"} />
        )}
      </div>
    </Page>
  );
}

function numberOf(index: string): number {
  if (/^\d{1,9}$/.test(index)) return Number(index);
  throw new Refused("NotFound", `"${index}" is not an operation's number`);
}

function OperationHead({ task: { progress, ...task } }: { task: Task }) {
  const params = route.useParams();
  const { tenant } = params;
  const index = numberOf(params.index);
  return (
    <PageHead
      crumbs={
        <>
          <Link to="/@{$tenant}/tasks" params={{ tenant }}>
            Tasks
          </Link>
          <Link to="/@{$tenant}/tasks/$task" params={{ tenant, task: params.task }} title={params.task}>
            <TaskName task={task} />
          </Link>
        </>
      }
      title={`Operation ${numberText(index)}`}
    >
      <Neighbour index={index - 1} isThere={index > 0} word="Previous" />
      <Neighbour index={index + 1} isThere={index < progress.processed - 1} word="Next" />
    </PageHead>
  );
}

function Neighbour({ index, isThere, word }: { index: number; isThere: boolean; word: string }) {
  if (!isThere)
    return (
      <span className={buttonClass()} aria-disabled="true">
        {word}
      </span>
    );
  return (
    <Link
      from="/@{$tenant}/tasks/$task/operations/$index"
      params={(now) => ({ ...now, index: `${index}` })}
      className={buttonClass()}
    >
      {word}
    </Link>
  );
}

function OperationParts({
  operation: { log, ...position },
  isPlan,
}: {
  operation: Operation;
  isPlan: boolean;
}) {
  const { input, command, output } = log;
  const isRendered = command !== null && JSON.stringify(command) !== JSON.stringify(input);
  return (
    <>
      <Outcome log={log} isPlan={isPlan} />
      <Position position={position} />
      {log.changes !== null && (
        <Changes
          changes={log.changes}
          isPlan={isPlan}
          unknown={log.unknownUntilApplied}
          output={log.output}
        />
      )}
      <div className={styles.columns}>
        {(position.text ?? input) !== null && (
          <Part title="As written">
            {position.text === null ? (
              <Json value={input} name="Operation as written" />
            ) : (
              <JsonText text={position.text} name="Operation as written" />
            )}
          </Part>
        )}
        {isRendered && (
          <Part title="As executed, with templates rendered">
            <Json value={command} name="Operation as executed" />
          </Part>
        )}
        {output !== null && (
          <Part title="Result">
            <Json value={output} name="Result" />
          </Part>
        )}
      </div>
    </>
  );
}

function Outcome({ log, isPlan }: { log: Operation["log"]; isPlan: boolean }) {
  const problems = problemsOf(log.errors);
  const message = isPlan ? plannedMessage(log.message) : log.message;
  return (
    <section className={styles.outcome} aria-label="Outcome">
      <p>
        <LogState entry={log} isPlan={isPlan} /> <code>{log.intent}</code>
        {log.ref !== null && (
          <>
            {" "}
            as <code>{log.ref}</code>
          </>
        )}{" "}
        · {log.statusCode} {log.errorName} · <Time at={log.startedAt} /> · {durationText(log.durationMs)}
      </p>
      {message !== null && (
        <p className={log.status === "success" ? undefined : styles.reason} dir="auto">
          {message}
        </p>
      )}
      {problems.length > 0 && (
        <ul className={styles.problems}>
          {problems.map(({ code, message, path }) => (
            <li key={`${path.join("/")} ${message}`}>
              <code>{path.length === 0 ? "/" : `/${path.join("/")}`}</code> {message} <small>{code}</small>
            </li>
          ))}
        </ul>
      )}
      {hasVariant(log, isPlan) && <Variant input={log.command ?? log.input} />}
      <OtherTasks log={log} />
    </section>
  );
}

/** True if there is what the operation is about. */
const hasVariant = ({ action }: Operation["log"], isPlan: boolean) =>
  action !== null && action !== "deleted" && (action !== "created" || !isPlan);

/** Leads to the product with the variant that the operation is about, if it names one. */
function Variant({ input }: { input: unknown }) {
  if (typeof input !== "object" || input === null || !("sku" in input) || typeof input.sku !== "string")
    return null;
  return (
    <p>
      Variant <SkuLink sku={input.sku} isStop />
    </p>
  );
}

function OtherTasks({ log: { repairedBy, undoes, index } }: { log: Operation["log"] }) {
  return (
    <>
      {repairedBy !== null && (
        <p>
          Repaired by{" "}
          <OperationLink task={repairedBy} index={index}>
            a retry
          </OperationLink>
        </p>
      )}
      {undoes !== null && (
        <p>
          Undoes{" "}
          <OperationLink task={undoes.operationId} index={undoes.index}>
            operation {numberText(undoes.index)}
          </OperationLink>
        </p>
      )}
    </>
  );
}

function Position({ position: { offset, length, isTextCut } }: { position: Omit<Operation, "log"> }) {
  const { tenant, task, index } = route.useParams();
  if (offset === null || length === null) return null;
  return (
    <p className="muted">
      <Link to="/@{$tenant}/tasks/$task/file" params={{ tenant, task }} search={{ operation: Number(index) }}>
        Bytes {numberText(offset)} to {numberText(offset + length - 1)} of the file
      </Link>
      {isTextCut && "; only the beginning is shown below"}
    </p>
  );
}

interface Problem {
  code: string;
  message: string;
  path: (string | number)[];
}

/** The entry's `errors` are JSON: a list of problems, or null. */
const problemsOf = (errors: unknown): Problem[] => (Array.isArray(errors) ? errors : []);

export const page = createLazyRoute("/@{$tenant}/tasks/$task/operations/$index")({
  component: OperationPage,
});
