import { useSyncExternalStore } from "react";
import { ServiceAway } from "./errors.ts";

/** The service as the latest requests found it. */
interface Connection {
  /** Null while it answers; otherwise the time since which it does not, in milliseconds. */
  awaySince: number | null;
  /** Its reason for taking fewer requests at the moment (429), until these may be sent again; otherwise null. */
  refusal: string | null;
}

let connection: Connection = { awaySince: null, refusal: null };
const listeners = new Set<() => void>();

function change(changed: Partial<Connection>): void {
  const next = { ...connection, ...changed };
  if (next.awaySince === connection.awaySince && next.refusal === connection.refusal) return;
  connection = next;
  for (const listener of listeners) listener();
}

/** Notes that the service has answered something. */
export const noteAnswer = () => change({ awaySince: null });

/** Notes that the service did not answer. */
export const noteAway = () => change({ awaySince: connection.awaySince ?? Date.now() });

let refusalEnd: ReturnType<typeof setTimeout> | undefined;

/** Time in which a request that is sent again is answered, in milliseconds: until then its refusal is shown. */
const answerTime = 1_000;

/** Notes that the service takes no such request for so many milliseconds. */
export function noteRefusal(reason: string, retryAfter: number): void {
  change({ refusal: reason });
  clearTimeout(refusalEnd);
  refusalEnd = setTimeout(() => change({ refusal: null }), retryAfter + answerTime);
}

/** The state of the connection, for the bar that says that the service does not answer. */
export const useConnection = () => useSyncExternalStore(subscribe, () => connection);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Time before another try, in milliseconds: what the service asked for; otherwise half a second, then twice as long
 * each time, up to five seconds.
 */
export const retryDelay = (tries: number, error?: unknown): number =>
  (error instanceof ServiceAway ? error.retryAfter : undefined) ?? Math.min(5_000, 500 * 2 ** tries);

/** True where the same request may succeed later. */
export const isAway = (error: unknown): boolean => error instanceof ServiceAway;
