import { getRouteApi, useBlocker, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useEdits } from "../../api/drafts.ts";
import { useTenant } from "../../api/session.ts";
import { useDroppedFiles } from "../../layout/dropped-file.ts";
import { useStay } from "../../layout/navigation.ts";
import { useTable } from "./convert/use-table.ts";
import type { EditorHandle } from "./editor/editor.tsx";
import type { FilePosition } from "./excerpt-lines.ts";
import { openConverted, openExample, openFile, openTaskFile } from "./open-file.ts";
import { noOptions, optionsOf, reasonNotToStart } from "./start/start-options.ts";
import { useStart } from "./start/use-start.ts";
import { useCheck } from "./use-check.ts";
import { isOpening, useDraft } from "./use-draft.ts";

const route = getRouteApi("/@{$tenant}/run");

export function useRunPage() {
  const { task } = route.useSearch();
  const isCreating = useRef(false);
  const file = useDraft(task, isCreating);
  const { draft, isSettled } = file;
  const check = useCheck(draft);
  const [options, setOptions] = useState(noOptions);
  const [shown, setShown] = useState<{ draft: number; position: FilePosition }>();
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  const table = useTable();
  const { open, openConverted, ...replacing } = useFiles(file, task, table.close);
  const take = (files: readonly File[]) => table.take(files, open);
  useDroppedFiles(take);
  const lead = useLeadToTask();
  const sending = useStart({
    isCreating,
    maybeStarted: file.kept?.maybeStarted ?? false,
    onStarted: async (task, isHere) => {
      replacing.onSent(task);
      file.markSent();
      if (isHere) await lead(task);
    },
  });
  useEdits(file.wouldLose);
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: file.hasUnsent });
  const isEmpty = draft.json.size === 0;
  return {
    ...{
      draft,
      opening: file.opening,
      check,
      editor,
      setEditor,
      edit: file.edit,
      position: shown?.draft === draft.id ? shown.position : undefined,
      setPosition: (position: FilePosition) => setShown({ draft: draft.id, position }),
      options,
      setOptions,
    },
    ...{ sending: sending.sending, error: sending.error, cancel: sending.cancel, replacing },
    ...{ table, take, openConverted: (json: Blob) => openConverted(table.chosen?.table?.name ?? "", json) },
    reason: isOpening(file.opening)
      ? "A file is being opened."
      : reasonNotToStart({ isEmpty, isSettled, check, options }),
    start: (kind: "run" | "plan") => sending.start({ draft, kind, options: optionsOf(options, kind) }),
  };
}

/** A file that may replace the one on the page. */
interface Replacement {
  name: string;
  open: () => void;
}

/**
 * Opens local files, converted tables, the example, and the file of the task in the URL unless it is on the page
 * already. Asks first if that would replace edits.
 *
 * @param onOpen called when a local file or a converted table is opened
 */
function useFiles(
  { open, hasUnsent, kept }: ReturnType<typeof useDraft>,
  task: string | undefined,
  onOpen: () => void,
) {
  const tenant = useTenant();
  const { example } = route.useSearch();
  const navigate = route.useNavigate();
  const [asked, setAsked] = useState<Replacement>();
  // The task whose file is on the page.
  const shown = useRef(kept?.task);
  const show = useCallback((file: Replacement) => (hasUnsent() ? setAsked(file) : file.open()), [hasUnsent]);
  useEffect(() => {
    if (task === undefined || task === shown.current) return;
    const name = "the file of the task";
    const openTask = () => {
      shown.current = task;
      void open(name, ({ signal }) => openTaskFile(task, tenant, signal));
    };
    show({ name, open: openTask });
  }, [task, tenant, open, show]);
  useEffect(() => {
    if (example !== true) return;
    const name = "the example";
    const openIt = () => {
      shown.current = undefined;
      void navigate({ search: {}, replace: true });
      void open(name, ({ signal }) => openExample(signal));
    };
    show({ name, open: openIt });
  }, [example, navigate, open, show]);
  const openLocal = (name: string, read: Parameters<typeof open>[1]) => {
    const openIt = () => {
      shown.current = undefined;
      void navigate({ search: {}, replace: true });
      onOpen();
      void open(name, read);
    };
    show({ name, open: openIt });
  };
  return {
    asked,
    /** The file on the page is now that of a task. */
    onSent: (sent: string) => {
      shown.current = sent;
    },
    open: (file: File) => openLocal(file.name, (context) => openFile(file, tenant, context)),
    openConverted: (table: string, json: Blob) => openLocal(table, () => openConverted(table, json)),
    confirm: async () => asked?.open(),
    close: () => {
      setAsked(undefined);
      // The URL names the file on the page.
      if (example || task !== shown.current)
        void navigate({ search: shown.current === undefined ? {} : { task: shown.current }, replace: true });
    },
  };
}

/** Opens a task's page. Going back leads to its file. */
function useLeadToTask() {
  const tenant = useTenant();
  const navigate = useNavigate();
  const stay = useStay();
  return async (task: string) => {
    const isHere = stay();
    await navigate({ to: "/@{$tenant}/run", params: { tenant }, search: { task }, replace: true });
    if (isHere()) await navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task } });
  };
}
