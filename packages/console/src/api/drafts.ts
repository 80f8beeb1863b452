import { useEffect } from "react";
import { queryClient } from "./query-client.ts";

/** The key of unsent edits of pages that were left. They are kept until sign-out. */
export const draftKey = "draft";

queryClient.setQueryDefaults([draftKey], { gcTime: Number.POSITIVE_INFINITY });

/** True while edits of a page that was left are kept. */
export const hasKeptDraft = (): boolean => queryClient.getQueriesData({ queryKey: [draftKey] }).length > 0;

/** Of each page that is shown: whether it has unsent edits. */
const shown = new Set<() => boolean>();

/**
 * Tells that this page may have edits, which it keeps when it is left.
 *
 * @param hasUnsent also called while another page renders; the same function each time
 */
export function useEdits(hasUnsent: () => boolean): void {
  useEffect(() => {
    shown.add(hasUnsent);
    return () => void shown.delete(hasUnsent);
  }, [hasUnsent]);
}

/** True while this tab has edits that would be lost if it loaded another page. */
export const hasDraft = (): boolean => hasKeptDraft() || [...shown].some((hasUnsent) => hasUnsent());
