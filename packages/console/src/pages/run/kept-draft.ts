import { useEffect, useRef, useState } from "react";
import { draftKey, queryClient } from "../../api/query-client.ts";
import { useTenant } from "../../api/use-tenant.ts";

/**
 * Keeps what was edited while other pages are shown: one file for each tenant, which the editor held before. Returns
 * what was kept of this tenant when the page was opened.
 *
 * @param unsent the file with edits that were not sent; undefined where there are none
 */
export function useKeptDraft<Draft>(unsent: () => Draft | undefined): Draft | undefined {
  const tenant = useTenant();
  const [kept] = useState(() => queryClient.getQueryData<Draft>([draftKey, tenant]));
  const latest = useRef(unsent);
  latest.current = unsent;
  useEffect(() => {
    const queryKey = [draftKey, tenant];
    queryClient.removeQueries({ queryKey });
    addEventListener("beforeunload", askWhileKept);
    return () => {
      const draft = latest.current();
      if (draft !== undefined) queryClient.setQueryData(queryKey, draft);
    };
  }, [tenant]);
  return kept;
}

/** Has the browser ask before the tab is closed, also from another page of the console. */
function askWhileKept(event: BeforeUnloadEvent): void {
  if (queryClient.getQueriesData({ queryKey: [draftKey] }).length > 0) event.preventDefault();
}
