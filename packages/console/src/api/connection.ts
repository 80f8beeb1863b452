import { ServiceAway } from "./errors.ts";
import { storeOf } from "./store.ts";

/** The state of the service as of the latest requests. */
interface Connection {
  /** Null while it answers; otherwise when it stopped answering, in milliseconds. */
  awaySince: number | null;
  /** The reason it gave for limiting requests (429), until requests may be sent again; otherwise null. */
  refusal: string | null;
}

const connection = storeOf<Connection>({ awaySince: null, refusal: null });

function change(changed: Partial<Connection>): void {
  const now = connection.get();
  const next = { ...now, ...changed };
  if (next.awaySince !== now.awaySince || next.refusal !== now.refusal) connection.set(next);
}

export const noteAnswer = () => change({ awaySince: null });

export const noteAway = () => change({ awaySince: connection.get().awaySince ?? Date.now() });

let refusalEnd: ReturnType<typeof setTimeout> | undefined;

/** Time in which a repeated request is answered, in milliseconds; until then the refusal stays visible. */
const answerTime = 1_000;

/** Records that the service takes no such request for `ms` milliseconds. */
export function noteRefusal(reason: string, retryAfter: number): void {
  change({ refusal: reason });
  clearTimeout(refusalEnd);
  refusalEnd = setTimeout(() => change({ refusal: null }), retryAfter + answerTime);
}

export const useConnection = connection.use;

/**
 * Delay before the next try, in milliseconds: what the service asked for, otherwise half a second, doubling
 * up to five seconds.
 */
export const retryDelay = (tries: number, error?: unknown): number =>
  (error instanceof ServiceAway ? error.retryAfter : undefined) ?? Math.min(5_000, 500 * 2 ** tries);

/** Waits for the delay before the next try, or until the signal aborts. */
export const pauseBeforeRetry = (signal: AbortSignal, tries: number, error?: unknown) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, retryDelay(tries, error));
    signal.addEventListener("abort", end);
  });

/** True if the same request may succeed later. */
export const isAway = (error: unknown): boolean => error instanceof ServiceAway;
