import { focusManager, QueryClient } from "@tanstack/react-query";
import { isAway, retryDelay } from "./connection.ts";

// A window that gains focus counts like a tab that becomes visible: its data is refetched.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  const events = ["focus", "visibilitychange"];
  for (const event of events) addEventListener(event, listener);
  return () => {
    for (const event of events) removeEventListener(event, listener);
  };
});

/** Queries wait for an unreachable service indefinitely; any other refusal is shown immediately. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      retry: (_tries, error) => isAway(error),
      retryDelay,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

/**
 * The first part of the keys of queries about items, customers, orders and other entities: `["entities",
 * tenant, …]`. Changes of them are not announced: they are read again every ten seconds while the page is
 * visible, and `AsOf` says when they were read.
 */
export const entitiesKey = "entities";

queryClient.setQueryDefaults([entitiesKey], { refetchInterval: 10_000 });
