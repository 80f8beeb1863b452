import { useSyncExternalStore } from "react";
import { ServiceAway } from "./errors.ts";

/** The service as the latest requests found it. */
interface Connection {
  /** Null while it answers; otherwise the time since which it does not, in milliseconds. */
  awaySince: number | null;
}

let connection: Connection = { awaySince: null };
const listeners = new Set<() => void>();

function change(next: Connection): void {
  if (next.awaySince === connection.awaySince) return;
  connection = next;
  for (const listener of listeners) listener();
}

/** Notes that the service has answered something. */
export const noteAnswer = () => change({ awaySince: null });

/** Notes that the service did not answer. */
export const noteAway = () => change({ awaySince: connection.awaySince ?? Date.now() });

/** The state of the connection, for the bar that says that the service does not answer. */
export const useConnection = () => useSyncExternalStore(subscribe, () => connection);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Time before another try, in milliseconds: half a second, then twice as long each time, up to five seconds. */
export const retryDelay = (tries: number) => Math.min(5_000, 500 * 2 ** tries);

/** True where the same request may succeed later. */
export const isAway = (error: unknown): boolean => error instanceof ServiceAway;
