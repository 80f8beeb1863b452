import { getRouteApi, useBlocker, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTenant } from "../../api/use-tenant.ts";
import type { EditorHandle } from "./editor/editor.tsx";
import type { FilePlace } from "./excerpt-lines.ts";
import { openFile, openTaskFile } from "./open-file.ts";
import { noOptions, optionsOf, reasonNotToStart } from "./start/start-options.ts";
import { useStart } from "./start/use-start.ts";
import { useCheck } from "./use-check.ts";
import { isOpening, useDraft } from "./use-draft.ts";

const route = getRouteApi("/@{$tenant}/run");

/** The state of the page, and what can be done on it. */
export function useRunPage() {
  const file = useDraft();
  const { draft, isSettled } = file;
  const check = useCheck(draft);
  const [options, setOptions] = useState(noOptions);
  const [place, setPlace] = useState<FilePlace>();
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  const { open, ...replacing } = useLocalFiles(file);
  const sentAs = useTaskFile(file.open);
  const lead = useLeadToTask();
  const sending = useStart(async (task) => {
    sentAs.current = task;
    file.markSent();
    await lead(task);
  });
  useEffect(() => setPlace(undefined), [draft.id]);
  const isEmpty = draft.json.size === 0;
  return {
    ...{
      draft,
      opening: file.opening,
      check,
      editor,
      setEditor,
      edit: file.edit,
      place,
      setPlace,
      options,
      setOptions,
    },
    ...{ sending: sending.sending, error: sending.error, cancel: sending.cancel, take: open, replacing },
    leaving: useLeaving(file.hasUnsent),
    reason: isOpening(file.opening)
      ? "A file is being opened."
      : reasonNotToStart({ isEmpty, isSettled, check, options }),
    start: (kind: "run" | "plan") => void sending.start(draft, kind, optionsOf(options, kind)),
  };
}

/** Opens files of this computer; where that would replace what was edited, after a question. */
function useLocalFiles({ open, hasUnsent }: Pick<ReturnType<typeof useDraft>, "open" | "hasUnsent">) {
  const tenant = useTenant();
  const navigate = route.useNavigate();
  const [asked, setAsked] = useState<File>();
  const openNow = (file: File) => {
    void navigate({ search: {}, replace: true });
    void open(file.name, (context) => openFile(file, tenant, context));
  };
  return {
    asked,
    open: (file: File) => (hasUnsent() ? setAsked(file) : openNow(file)),
    confirm: async () => asked && openNow(asked),
    close: () => setAsked(undefined),
  };
}

/** Opens the file of the task that the address names, unless it is that of the page, sent as this task. */
function useTaskFile(open: ReturnType<typeof useDraft>["open"]) {
  const tenant = useTenant();
  const { task } = route.useSearch();
  const sentAs = useRef<string>(undefined);
  useEffect(() => {
    if (task === undefined || task === sentAs.current) return;
    void open(`the file of task ${task}`, ({ signal }) => openTaskFile(task, tenant, signal));
  }, [task, tenant, open]);
  return sentAs;
}

/** Goes to the page of a task. The way back leads to its file. */
function useLeadToTask() {
  const tenant = useTenant();
  const navigate = useNavigate();
  return async (task: string) => {
    await navigate({ to: "/@{$tenant}/run", params: { tenant }, search: { task }, replace: true });
    await navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task } });
  };
}

/** Stops whoever is about to leave the page, or to open the file of a task, with edits that were not sent. */
const useLeaving = (hasUnsent: () => boolean) =>
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasUnsent() &&
      (current.pathname !== next.pathname ||
        ("task" in next.search && next.search.task !== ("task" in current.search && current.search.task))),
    enableBeforeUnload: hasUnsent,
    withResolver: true,
  });
