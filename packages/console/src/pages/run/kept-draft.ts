import { useEffect, useEffectEvent, useState } from "react";
import { draftKey, hasKeptDraft } from "../../api/drafts.ts";
import { queryClient } from "../../api/query-client.ts";
import { hasSessionEnded, usePersonName, useTenant } from "../../api/session.ts";
import type { OpenedFile } from "./open-file.ts";

interface KeptDraft extends OpenedFile {
  /** The task in the URL at that time. */
  task: string | undefined;
  /** True if the page was left while a task was being created from it. */
  maybeStarted: boolean;
  /** The person whose draft it is; undefined for a token. */
  person: string | undefined;
}

/**
 * Keeps unsent edits while other pages are shown and when the page is reloaded, one file per tenant. Returns
 * what was kept for this tenant and person when the page was opened, and a function that also keeps the edits so far
 * if the tab crashes.
 *
 * @param unsent the file with unsent edits, if any; when the session has ended, also one without edits
 */
export function useKeptDraft(unsent: (hasEnded: boolean) => Omit<KeptDraft, "person"> | undefined) {
  const tenant = useTenant();
  const personNow = usePersonName();
  const [firstPerson] = useState(personNow);
  // The session may have ended.
  const person = personNow ?? firstPerson;
  const [kept] = useState(() => {
    const draft = queryClient.getQueryData<KeptDraft>([draftKey, tenant]) ?? storedDraft(tenant);
    return person === undefined || draft?.person === undefined || draft.person === person ? draft : undefined;
  });
  const ofPerson = () => {
    const draft = unsent(hasSessionEnded(tenant));
    return draft && { ...draft, person };
  };
  const unsentNow = useEffectEvent(ofPerson);
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
  return { kept, store: () => storeDraft(tenant, ofPerson()) };
}

/** Makes the browser ask before the tab is closed, also from another page of the console. */
function askWhileKept(event: BeforeUnloadEvent): void {
  if (hasKeptDraft()) event.preventDefault();
}

const storageKey = (tenant: string) => `lading-draft-${tenant}`;

function storedDraft(tenant: string): KeptDraft | undefined {
  const stored = sessionStorage.getItem(storageKey(tenant));
  if (stored === null) return undefined;
  // Only `storeDraft` writes there.
  const draft = JSON.parse(stored) as Omit<KeptDraft, "json"> & { text: string };
  return { ...draft, json: new Blob([draft.text]) };
}

/** Stores a draft in this tab, until sign-out. One that is too large for the browser's storage is not stored. */
function storeDraft(tenant: string, draft: KeptDraft | undefined): void {
  sessionStorage.removeItem(storageKey(tenant));
  if (draft === undefined || draft.text === null) return;
  const { json: _, ...stored } = draft;
  try {
    sessionStorage.setItem(storageKey(tenant), JSON.stringify(stored));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
