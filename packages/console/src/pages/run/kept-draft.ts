import { useEffect, useEffectEvent, useState } from "react";
import { draftKey, hasKeptDraft } from "../../api/drafts.ts";
import { queryClient } from "../../api/query-client.ts";
import { useTenant } from "../../api/session.ts";

interface KeptDraft {
  name: string;
  text: string;
  /** The task in the URL at that time. */
  task: string | undefined;
  /** True if the page was left while a task was being created from it. */
  maybeStarted: boolean;
}

/**
 * Keeps unsent edits while other pages are shown and when the page is reloaded, one file per tenant. Returns
 * what was kept for this tenant when the page was opened, and a function that also keeps the edits so far
 * if the tab crashes.
 *
 * @param unsent the file with unsent edits, if any
 */
export function useKeptDraft(unsent: () => KeptDraft | undefined) {
  const tenant = useTenant();
  const [kept] = useState(
    () => queryClient.getQueryData<KeptDraft>([draftKey, tenant]) ?? storedDraft(tenant),
  );
  const unsentNow = useEffectEvent(unsent);
  useEffect(() => {
    const queryKey = [draftKey, tenant];
    queryClient.removeQueries({ queryKey });
    addEventListener("beforeunload", askWhileKept);
    const store = () => storeDraft(tenant, unsentNow());
    addEventListener("pagehide", store);
    return () => {
      removeEventListener("pagehide", store);
      const draft = unsentNow();
      storeDraft(tenant, draft);
      if (draft !== undefined) queryClient.setQueryData(queryKey, draft);
    };
  }, [tenant]);
  return { kept, store: () => storeDraft(tenant, unsent()) };
}

/** Makes the browser ask before the tab is closed, also from another page of the console. */
function askWhileKept(event: BeforeUnloadEvent): void {
  if (hasKeptDraft()) event.preventDefault();
}

const storageKey = (tenant: string) => `lading-draft-${tenant}`;

function storedDraft(tenant: string): KeptDraft | undefined {
  const stored = sessionStorage.getItem(storageKey(tenant));
  // Only `storeDraft` writes there.
  return stored === null ? undefined : (JSON.parse(stored) as KeptDraft);
}

/** Stores a draft in this tab, until sign-out. One that is too large for the browser's storage is not stored. */
function storeDraft(tenant: string, draft: KeptDraft | undefined): void {
  sessionStorage.removeItem(storageKey(tenant));
  if (draft === undefined) return;
  try {
    sessionStorage.setItem(storageKey(tenant), JSON.stringify(draft));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
