import { useEffect, useEffectEvent, useState } from "react";
import { draftKey, queryClient } from "../../api/query-client.ts";
import { useTenant } from "../../api/session.ts";

/**
 * Keeps unsent edits while other pages are shown, one file per tenant. Returns what was kept for this tenant
 * when the page was opened.
 *
 * @param unsent the file with unsent edits, if any
 */
export function useKeptDraft<Draft>(unsent: () => Draft | undefined): Draft | undefined {
  const tenant = useTenant();
  const [kept] = useState(() => queryClient.getQueryData<Draft>([draftKey, tenant]));
  const unsentNow = useEffectEvent(unsent);
  useEffect(() => {
    const queryKey = [draftKey, tenant];
    queryClient.removeQueries({ queryKey });
    addEventListener("beforeunload", askWhileKept);
    return () => {
      const draft = unsentNow();
      if (draft !== undefined) queryClient.setQueryData(queryKey, draft);
    };
  }, [tenant]);
  return kept;
}

/** Makes the browser ask before the tab is closed, also from another page of the console. */
function askWhileKept(event: BeforeUnloadEvent): void {
  if (queryClient.getQueriesData({ queryKey: [draftKey] }).length > 0) event.preventDefault();
}
