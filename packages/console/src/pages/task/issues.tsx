import { Link, useNavigate } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import type { ResultOf } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { numberText } from "../../ui/format.ts";
import { pageOf, useCursorRows } from "../../ui/table/paged-rows.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { State } from "../../ui/values/state.tsx";
import { issuesDocument, type TaskDetails } from "./documents.ts";

type Page = Extract<NonNullable<ResultOf<typeof issuesDocument>["bulkTask"]>, { issues: unknown }>["issues"];
type Issue = Page["edges"][number]["node"];

/** The issues validation found in a task's file, errors first. */
export function Issues({ task }: { task: TaskDetails }) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const rows = useCursorRows({
    queryKey: ["task", tenant, task.id, "issues", task.errorCount, task.warningCount],
    pageSize: 100,
    fetchPage: async (after, signal) => {
      const { bulkTask } = await request(tenant, issuesDocument, { id: task.id, first: 100, after }, signal);
      return pageOf(success(bulkTask).issues);
    },
  });
  return (
    <Table
      label="Issues"
      columns={columnsOf(tenant, task.id)}
      rows={rows}
      empty={<Empty title="The file has no issues" />}
      cards
      onOpen={(issue) =>
        void navigate({
          to: "/@{$tenant}/tasks/$task/file",
          params: { tenant, task: task.id },
          search: positionOf(issue),
        })
      }
    />
  );
}

const positionOf = ({ offset, operationIndex }: Issue) => ({
  offset: offset ?? undefined,
  operation: offset === null ? (operationIndex ?? undefined) : undefined,
});

const columnsOf = (tenant: string, task: string): Column<Issue>[] => [
  {
    header: "Severity",
    card: "state",
    width: 6,
    cell: ({ severity }) => <State shape={severity === "error" ? "failed" : "warning"}>{severity}</State>,
  },
  {
    header: "Line",
    width: 6,
    isFigure: true,
    cell: (issue) => (
      <Link
        to="/@{$tenant}/tasks/$task/file"
        params={{ tenant, task }}
        search={positionOf(issue)}
        tabIndex={-1}
      >
        {issue.line === null ? "–" : `${numberText(issue.line)}:${issue.column}`}
      </Link>
    ),
  },
  {
    header: "Operation",
    width: 6,
    isFigure: true,
    cell: ({ operationIndex }) => (operationIndex === null ? "–" : numberText(operationIndex)),
  },
  { header: "Intent", width: 9, grow: 0.4, cell: ({ intent }) => <code>{intent}</code> },
  {
    header: "Problem",
    card: "title",
    width: 16,
    grow: 1,
    cell: ({ message }) => <span title={message}>{message}</span>,
  },
  {
    header: "Position",
    card: "line",
    width: 10,
    grow: 0.5,
    cell: ({ pointer }) => <code title={pointer}>{pointer}</code>,
  },
];
