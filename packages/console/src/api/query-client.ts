import { keepPreviousData, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isAway, retryDelay } from "./connection.ts";
import { SignedOut } from "./errors.ts";

/** Are called when the session turns out to have ended. */
export const signedOutListeners = new Set<() => void>();

function onError(error: unknown): void {
  if (error instanceof SignedOut) for (const listener of signedOutListeners) listener();
}

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
      placeholderData: keepPreviousData,
    },
    mutations: { networkMode: "always" },
  },
});
