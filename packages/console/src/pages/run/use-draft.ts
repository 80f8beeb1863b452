import { useCallback, useEffect, useRef, useState } from "react";
import { useKeptDraft } from "./kept-draft.ts";
import type { OpenedFile } from "./open-file.ts";
import type { JobContext } from "./worker/jobs.ts";

export interface Draft extends OpenedFile {
  /** Changes with each opened file. */
  id: number;
}

/** A file being opened, or one that failed to open. */
export interface Opening {
  name: string;
  bytes: number;
  /** Undefined while it is being opened. */
  error?: unknown;
}

/** True until a file is opened or fails to open. */
export const isOpening = (opening: Opening | undefined) =>
  opening !== undefined && opening.error === undefined;

/** Time without a change after which a text is checked, in milliseconds. */
const settleAfter = 250;

const empty: Draft = { id: 0, name: "operations.json", json: new Blob(), text: "" };

/**
 * The file on the page: opened or typed, edited, sent.
 *
 * @param task the one in the URL
 * @param isCreating true while a task is being created from the file
 */
export function useDraft(task: string | undefined, isCreating: { readonly current: boolean }) {
  const { kept, store } = useKeptDraft((hasEnded) => {
    const about = { name: draft.name, task, maybeStarted: isCreating.current };
    const text = edits.unsentText();
    if (text !== undefined) return { ...about, json: new Blob([text]), text };
    return hasEnded && isLocal ? { ...about, json: draft.json, text: draft.text } : undefined;
  });
  const [draft, setDraft] = useState(() =>
    kept === undefined ? empty : { ...empty, name: kept.name, json: kept.json, text: kept.text },
  );
  // The service has no copy of it.
  const isLocal = task === undefined && draft.json.size > 0;
  const [opening, setOpening] = useState<Opening>();
  const [isSettled, setSettled] = useState(true);
  const edits = useEdits(kept?.text ?? undefined, (text) => {
    setDraft((now) => ({ ...now, json: new Blob([text]) }));
    setSettled(true);
    store();
  });
  const { hasUnsent, forget: markSent } = edits;
  const wouldLose = useCallback(() => isLocal || hasUnsent(), [isLocal, hasUnsent]);
  const onOpened = useCallback(
    (file: OpenedFile) => {
      markSent();
      setSettled(true);
      setDraft(({ id }) => ({ ...file, id: id + 1 }));
    },
    [markSent],
  );
  const open = useOpening(setOpening, onOpened);
  const edit = (read: () => string) => {
    setSettled(false);
    edits.note(read);
  };
  return { ...{ draft, opening, isSettled, open, edit, hasUnsent, wouldLose, markSent }, kept };
}

/** Reports the text after a pause in editing, and knows whether there are unsent edits: `kept` are earlier ones. */
function useEdits(kept: string | undefined, onSettled: (text: string) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsent = useRef(kept === undefined ? undefined : () => kept);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    note(read: () => string) {
      unsent.current = read;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => onSettled(read()), settleAfter);
    },
    forget: useCallback(() => {
      unsent.current = undefined;
      clearTimeout(timer.current);
    }, []),
    hasUnsent: useCallback(() => unsent.current !== undefined, []),
    unsentText: () => unsent.current?.(),
  };
}

/** Opens one file at a time: opening another aborts the previous one. */
function useOpening(
  setOpening: (opening: Opening | undefined) => void,
  onOpened: (file: OpenedFile) => void,
) {
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  return useCallback(
    async (name: string, read: (context: JobContext) => Promise<OpenedFile>) => {
      current.current?.abort();
      const controller = new AbortController();
      const { signal } = controller;
      current.current = controller;
      setOpening({ name, bytes: 0 });
      try {
        const file = await read({ signal, onBytes: (bytes) => setOpening({ name, bytes }) });
        if (signal.aborted) return;
        setOpening(undefined);
        onOpened(file);
      } catch (error) {
        if (!signal.aborted) setOpening({ name, bytes: 0, error });
      }
    },
    [setOpening, onOpened],
  );
}
