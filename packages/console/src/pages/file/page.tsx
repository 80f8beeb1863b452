import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { Pending } from "../../layout/page-states.tsx";
import { numberText } from "../../ui/format.ts";
import { useShortcuts } from "../../ui/input/shortcuts.ts";
import { Page } from "../../ui/page/page.tsx";
import { type File, fileDocument, type OperationPosition, positionDocument } from "./documents.ts";
import styles from "./file.module.css";
import { FileView } from "./file-view.tsx";
import { FileHead, OperationLine } from "./head.tsx";
import { IssueList } from "./issue-list.tsx";
import { chosenIssue, type FileIssue, inFileOrder, neighbour } from "./issues.ts";
import { failureOf, notesOf } from "./note.ts";

const route = getRouteApi("/@{$tenant}/tasks/$task/file");

/** A task's file, opened at an issue, an operation or a byte. */
function FilePage() {
  const { tenant, task } = route.useParams();
  const { operation } = route.useSearch();
  const file = useQuery({
    queryKey: ["task", tenant, task, "file"],
    queryFn: async ({ signal }) =>
      success((await request(tenant, fileDocument, { id: task }, signal)).bulkTask),
    placeholderData: undefined,
  });
  const position = useQuery({
    queryKey: ["task", tenant, task, "position", operation],
    queryFn: async ({ signal }) => {
      const answer = await request(tenant, positionDocument, { id: task, index: operation ?? 0 }, signal);
      return success(answer.bulkTask).operation;
    },
    enabled: operation !== undefined,
    placeholderData: undefined,
  });
  if (position.error !== null || position.isLoading)
    return <Pending query={position} title="This file cannot be shown" />;
  if (file.error !== null || file.data === undefined)
    return <Pending query={file} title="This file cannot be shown" />;
  return <OpenFile key={`${tenant} ${task}`} file={file.data} position={position.data ?? null} />;
}

function OpenFile({ file, position }: { file: File; position: OperationPosition | null }) {
  const { tenant, task } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const issues = useMemo(() => inFileOrder(file.issues.edges.map(({ node }) => node)), [file]);
  const chosen = chosenIssue(issues, search, position !== null);
  const failure = useMemo(() => failureOf(position, search.operation), [position, search.operation]);
  const target = chosen?.offset ?? search.offset ?? failure?.offset ?? position?.offset ?? 0;
  const [goal, setGoal] = useState({ offset: target, target });
  if (goal.target !== target) setGoal({ offset: target, target });
  const seen = useRef(target);
  const choose = ({ number, offset }: FileIssue) => {
    void navigate({ search: { issue: number }, replace: true });
    setGoal({ offset: offset ?? 0, target });
  };
  const step = (by: 1 | -1) => {
    const next = neighbour(issues, { current: chosen?.number, offset: seen.current }, by);
    if (next !== undefined) choose(next);
  };
  useShortcuts({ n: () => step(1), p: () => step(-1) });
  const notes = useMemo(() => notesOf(issues, failure), [issues, failure]);
  const lines = useMemo(() => knownLines(issues), [issues]);
  return (
    <Page className={styles.file}>
      <FileHead {...{ tenant, task, file, issues, chosen, onStep: step }} />
      {search.operation !== undefined && (
        <OperationLine {...{ task, position, index: search.operation }} isIssueShown={chosen !== undefined} />
      )}
      <div className={styles.parts}>
        <FileView
          {...{ tenant, task, goal, notes, lines }}
          current={chosen && `issue ${chosen.number}`}
          span={spanOf(position)}
          onSeen={(offset) => {
            seen.current = offset;
          }}
          onJump={(offset) => setGoal({ offset, target })}
        />
        {issues.length > 0 && (
          <aside className={styles.side} aria-label="Issues">
            <IssueList issues={issues} current={chosen?.number} onChoose={choose} />
            <MoreIssues listed={issues.length} all={file.errorCount + file.warningCount} />
          </aside>
        )}
      </div>
    </Page>
  );
}

const MoreIssues = ({ listed, all }: { listed: number; all: number }) =>
  all > listed && (
    <p className={styles.more}>
      Showing the first {numberText(listed)} of {numberText(all)} issues.
    </p>
  );

const knownLines = (issues: readonly FileIssue[]) =>
  issues.flatMap(({ offset, line }) => (offset === null || line === null ? [] : { offset, line }));

const spanOf = (position: OperationPosition | null) =>
  position?.offset == null || position.length === null
    ? undefined
    : { start: position.offset, end: position.offset + position.length };

export const page = createLazyRoute("/@{$tenant}/tasks/$task/file")({ component: FilePage });
