import {
  type Action,
  actions,
  type OperationStatus,
  operationStatuses,
} from "@lading/schema/internal/bulk-task";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Empty, ErrorNote } from "../../ui/feedback/feedback.tsx";
import { countOf, numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { Check, Choice, FilterText } from "../../ui/input/field.tsx";
import { pageOf, type Rows, useCursorRows, useNumberedRows } from "../../ui/table/paged-rows.ts";
import { type Following, Table } from "../../ui/table/table.tsx";
import { PlannedChanges } from "../plan/detail.tsx";
import { type LogRow, logDocument, numberedDocument } from "../task-model/task.ts";
import { countDocument, type TaskDetails } from "./documents.ts";
import { columnsOf } from "./log-columns.tsx";
import { type LogFilter, useLogFilter } from "./log-filter.ts";
import { useLogSearch } from "./search-rows.ts";
import styles from "./task.module.css";

const route = getRouteApi("/@{$tenant}/tasks/$task");

/** A task's log: all of it, or the entries that match the filters in the URL. */
export function Log({ task }: { task: TaskDetails }) {
  const [isFollowing, setFollowing] = useState(false);
  const { text } = route.useSearch();
  const canFollow = task.endedAt === null && text === undefined;
  return (
    <div className={styles.log}>
      <LogFilters task={task}>
        {canFollow && (
          <Check checked={isFollowing} onChange={({ target }) => setFollowing(target.checked)}>
            Follow
          </Check>
        )}
      </LogFilters>
      <LogRows task={task} following={canFollow ? { isOn: isFollowing, change: setFollowing } : undefined} />
    </div>
  );
}

interface LogProps {
  task: TaskDetails;
  following?: Following | undefined;
}

function LogRows({ task, following }: LogProps) {
  const filter = useLogFilter();
  const hasAll = (task.kind === "run" || task.kind === "plan") && task.progress.skipped === 0;
  if (filter?.text !== undefined)
    return <SearchedLog key={JSON.stringify(filter)} task={task} filter={filter} />;
  if (filter === undefined && hasAll) return <WholeLog task={task} following={following} />;
  return <FilteredLog task={task} filter={filter ?? {}} following={following} />;
}

function LogFilters({ task, children }: { task: TaskDetails; children: ReactNode }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const matching = useMatching(task);
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true });
  const { text, intent, status, action, cause, error } = search;
  return (
    <div className={styles.filters}>
      <FilterText
        label="Text"
        placeholder="/ SKU, id, _ref, message"
        value={text}
        isFirst
        onChange={(text) => change({ text })}
      />
      <FilterText
        label="Intent"
        placeholder="product/"
        value={intent}
        onChange={(intent) => change({ intent })}
      />
      {/* A plan filters by its counts instead. */}
      {task.kind !== "plan" && <Outcomes {...{ status, action, change }} />}
      {cause !== undefined && (
        <Chip name="Cause" value={cause} onRemove={() => change({ cause: undefined, error: undefined })} />
      )}
      {cause === undefined && error !== undefined && (
        <Chip name="Error" value={error} onRemove={() => change({ error: undefined })} />
      )}
      {children}
      <span className={styles.matching} role="status">
        {matching !== undefined && countOf(matching, "operation")}
      </span>
    </div>
  );
}

interface Outcome {
  status?: OperationStatus | undefined;
  action?: Action | undefined;
}

/** Filters by operations' outcomes. */
const Outcomes = ({ status, action, change }: Outcome & { change: (changed: Outcome) => void }) => (
  <>
    <Choice
      label="Status"
      value={status}
      options={operationStatuses}
      onChange={(status) => change({ status })}
    />
    <Choice label="Action" value={action} options={actions} onChange={(action) => change({ action })} />
  </>
);

/** The number of entries that match the filters; undefined until known, and while a text is searched. */
function useMatching({ id, progress, endedAt }: TaskDetails): number | undefined {
  const tenant = useTenant();
  const filter = useLogFilter();
  const { data } = useQuery({
    queryKey: ["task", tenant, id, "count", filter],
    queryFn: ({ signal }) =>
      request(tenant, countDocument, { filter: { operationId: id, ...filter } }, signal),
    enabled: filter !== undefined && filter.text === undefined,
    refetchInterval: endedAt === null ? 3_000 : false,
  });
  if (filter === undefined) return progress.processed - progress.skipped;
  return filter.text === undefined ? (data?.operationLogs?.totalCount ?? undefined) : undefined;
}

const Chip = ({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) => (
  <span className={styles.chip}>
    <span title={value}>
      {name}: {value}
    </span>
    <Button kind="plain" aria-label={`Remove the filter by ${name.toLowerCase()}`} onClick={onRemove}>
      ×
    </Button>
  </span>
);

/** Maximum operations per query by number, as in docs/limits.md. */
const numberedPage = 100;

/** All entries of a run or plan. An entry's slot is its operation's number: any of a million is one request away. */
function WholeLog({ task, following }: LogProps) {
  const tenant = useTenant();
  const rows = useNumberedRows({
    queryKey: ["task", tenant, task.id, "whole-log"],
    pageSize: numberedPage,
    count: task.progress.processed,
    fetchRange: (first, end, signal) => readNumbered({ tenant, id: task.id, first, end, signal }),
  });
  return <LogTable task={task} rows={rows} following={following} />;
}

interface Range {
  tenant: string;
  id: string;
  first: number;
  end: number;
  signal: AbortSignal;
}

/** Reads a range of entries. The service returns fewer per request if they are large. */
async function readNumbered({ tenant, id, first, end, signal }: Range): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (let from = first; from < end; ) {
    const answer = await request(tenant, numberedDocument, { id, from, count: end - from }, signal);
    const { operations } = success(answer.bulkTask);
    const last = operations.at(-1);
    if (last === undefined) break;
    rows.push(...operations.map(({ log }) => log));
    from = last.log.index + 1;
  }
  return rows;
}

const filteredPage = 100;

/** The entries that match a filter, and those of a retry or an undo, whose numbers have gaps. */
function FilteredLog({ task, filter, following }: LogProps & { filter: LogFilter }) {
  const tenant = useTenant();
  const rows = useCursorRows({
    queryKey: ["task", tenant, task.id, "log", filter],
    pageSize: filteredPage,
    refetchInterval: task.endedAt === null ? 3_000 : false,
    fetchPage: async (after, signal) => {
      const variables = { filter: { operationId: task.id, ...filter }, first: filteredPage, after };
      return pageOf(success((await request(tenant, logDocument, variables, signal)).operationLogs));
    },
  });
  return <LogTable task={task} rows={rows} following={following} />;
}

/** The entries with a text, found bit by bit: it shows how far the search has come, and can be stopped. */
function SearchedLog({ task, filter }: { task: TaskDetails; filter: LogFilter }) {
  const { rows, found, searched, state, stop } = useLogSearch(task, filter);
  const { processed } = task.progress;
  return (
    <>
      <div className={styles.search} role="status">
        {countOf(found, "operation")} found
        {state !== "done" && ` in the first ${numberText(searched)} of ${numberText(processed)}`}
        {state === "searching" && (
          <>
            {" …"}
            <progress max={processed} value={searched} aria-label="Searched" />
            <Button kind="plain" onClick={() => stop(true)}>
              Stop
            </Button>
          </>
        )}
        {state === "stopped" && (
          <Button kind="plain" onClick={() => stop(false)}>
            Continue
          </Button>
        )}
        {state === "waiting" && ". Scroll down for more."}
      </div>
      {state === "failed" && found > 0 && <ErrorNote error={rows.error} onRetry={rows.refetch} />}
      {state === "stopped" && found === 0 ? (
        <Empty title="Nothing found so far">The search was stopped.</Empty>
      ) : (
        <LogTable task={task} rows={rows} />
      )}
    </>
  );
}

function LogTable({ task, rows, following }: LogProps & { rows: Rows<LogRow> }) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const filter = useLogFilter();
  if (rows.count > 0 && task.prunedAt !== null) return <NothingLogged task={task} />;
  const table = {
    ...{ columns: columnsOf(task), rows, following, cards: true },
    empty: filter === undefined ? <NothingLogged task={task} /> : <NothingMatches />,
  };
  if (task.kind === "plan")
    return (
      <Table
        {...table}
        key={JSON.stringify(filter)}
        label="Planned operations"
        detail={({ index }) => <PlannedChanges task={task.id} index={index} />}
      />
    );
  return (
    <Table
      {...table}
      label="Log"
      onOpen={({ index }) =>
        void navigate({
          to: "/@{$tenant}/tasks/$task/operations/$index",
          params: { tenant, task: task.id, index: `${index}` },
        })
      }
    />
  );
}

const NothingMatches = () => (
  <Empty title="No operation matches these filters">Entries appear as their operations are committed.</Empty>
);

function NothingLogged({ task }: { task: TaskDetails }) {
  if (task.prunedAt !== null)
    return (
      <Empty title="The log was removed">
        It was pruned by hand, or its retention period has ended.
        {task.kind === "plan" && " Plan the file again to run it as planned."}
      </Empty>
    );
  if (task.status === "pending")
    return (
      <Empty title="Not started">
        Nothing has been executed yet.{" "}
        {task.startAt === null
          ? "Start the task above."
          : "The task starts at its date, or when you start it above."}
      </Empty>
    );
  if (task.endedAt !== null) return <Empty title="Nothing was executed">{task.info?.error}</Empty>;
  return (
    <Empty title="Nothing executed yet">
      {task.status === "started" ? "It is waiting for other tasks, or its file is being checked." : undefined}
    </Empty>
  );
}
