import { focusManager, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isAway, retryDelay } from "./connection.ts";
import { SignedOut } from "./errors.ts";

/** Are called when the session turns out to have ended. */
export const signedOutListeners = new Set<() => void>();

function onError(error: unknown): void {
  if (error instanceof SignedOut) for (const listener of signedOutListeners) listener();
}

// A window that comes to the front counts as well as a tab: what is shown is read again.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  const events = ["focus", "visibilitychange"];
  for (const event of events) addEventListener(event, listener);
  return () => {
    for (const event of events) removeEventListener(event, listener);
  };
});

/** Queries wait for a service that is away, for as long as it takes; whatever else is refused is shown at once. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
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

/** The key of what was edited and not sent. It is kept until somebody signs out. */
export const draftKey = "draft";

queryClient.setQueryDefaults([draftKey], { gcTime: Number.POSITIVE_INFINITY });
