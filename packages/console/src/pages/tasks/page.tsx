import { bulkTaskKinds, bulkTaskStatuses } from "@lading/schema/internal/bulk-task";
import { useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { Button } from "../../ui/input/button.tsx";
import { Choice, Field, FilterText } from "../../ui/input/field.tsx";
import { Page } from "../../ui/page/page.tsx";
import { pageOf, type Rows, useCursorRows } from "../../ui/table/paged-rows.ts";
import { Table } from "../../ui/table/table.tsx";
import { type TaskOverview, useTaskOverview } from "../task-model/overview.ts";
import { type Task, tasksDocument, taskViews, viewCountText, viewWords } from "../task-model/task.ts";
import { columns } from "./columns.tsx";
import { filterOf } from "./filter.ts";
import styles from "./tasks.module.css";

const route = getRouteApi("/@{$tenant}/tasks");

/** The tasks of a tenant, newest first. */
function TasksPage() {
  const { data: overview, isLive } = useTaskOverview(useTenant());
  const rows = useTasks(overview, isLive);
  return (
    <Page isFlush>
      <header className={styles.head}>
        <h1>Tasks</h1>
        <Views counts={overview?.counts} />
        <Filters />
      </header>
      <TaskList rows={rows} />
    </Page>
  );
}

type Search = ReturnType<typeof route.useSearch>;

function useFilters() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: Partial<Search>) =>
    void navigate({ search: { ...filter, ...changed }, replace: true });
  return [filter, change] as const;
}

/** The views of tasks, with the number in each; the pressed one filters the list. */
function Views({ counts }: { counts: TaskOverview["counts"] | undefined }) {
  const [{ view }, change] = useFilters();
  return (
    <fieldset className={styles.views}>
      <legend className="visually-hidden">Views</legend>
      {taskViews.map((each) => (
        <Button
          key={each}
          kind="pill"
          aria-pressed={view === each}
          onClick={() => change({ view: view === each ? undefined : each })}
        >
          {viewWords[each]} <strong>{counts === undefined ? "…" : viewCountText(counts[each])}</strong>
        </Button>
      ))}
    </fieldset>
  );
}

function Filters() {
  const [{ view, text, from, until, status, kind }, change] = useFilters();
  return (
    <search className={styles.filters}>
      <FilterText
        label="Search"
        placeholder="file, person or id"
        value={text}
        isFirst
        onChange={(value) => change({ text: value })}
      />
      <Field
        label="From"
        isInline
        type="date"
        value={from ?? ""}
        max={until}
        onChange={({ target }) => change({ from: target.value || undefined })}
      />
      <Field
        label="Until"
        isInline
        type="date"
        value={until ?? ""}
        min={from}
        onChange={({ target }) => change({ until: target.value || undefined })}
      />
      <Choice
        label="Status"
        value={status}
        options={bulkTaskStatuses}
        onChange={(value) => change({ status: value })}
      />
      <Choice
        label="Kind"
        value={kind}
        options={bulkTaskKinds}
        none={view === undefined ? "all except plans" : "all"}
        onChange={(value) => change({ kind: value })}
      />
    </search>
  );
}

/** The tasks of the filters, read again when the overview changes. */
function useTasks(overview: TaskOverview | undefined, isLive: boolean): Rows<Task> {
  const tenant = useTenant();
  const queries = useQueryClient();
  const known = useRef(overview);
  useEffect(() => {
    if (known.current !== undefined && known.current !== overview)
      void queries.invalidateQueries({ queryKey: ["tasks", tenant, "list"] });
    known.current = overview;
  }, [queries, tenant, overview]);
  const filter = filterOf(route.useSearch());
  return useCursorRows({
    queryKey: ["tasks", tenant, "list", filter],
    pageSize: 50,
    // The overview does not show everything, such as the start of an old task.
    refetchInterval: isLive ? 10_000 : 1_500,
    fetchPage: async (after, signal) => {
      const answer = await request(tenant, tasksDocument, { filter, first: 50, after }, signal);
      return pageOf(success(answer.bulkTasks));
    },
  });
}

function TaskList({ rows }: { rows: Rows<Task> }) {
  const tenant = useTenant();
  const navigate = useNavigate();
  return (
    <Table
      label="Tasks"
      columns={columns}
      cards
      rows={rows}
      empty={<NoTasks />}
      onOpen={({ id }) => void navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task: id } })}
    />
  );
}

function NoTasks() {
  const tenant = useTenant();
  const isFiltered = Object.values(route.useSearch()).some((value) => value !== undefined);
  if (isFiltered)
    return (
      <Empty title="No task matches these filters">
        <Link to="/@{$tenant}/tasks" params={{ tenant }}>
          Remove the filters
        </Link>
      </Empty>
    );
  return (
    <Empty title="No tasks yet" command={`lading mass-operation run ${tenant} operations.json`}>
      A task is one run of a mass operation file.{" "}
      <Link to="/@{$tenant}/run" params={{ tenant }}>
        Run one here
      </Link>
      , or with the command line:
    </Empty>
  );
}

export const page = createLazyRoute("/@{$tenant}/tasks")({ component: TasksPage });
