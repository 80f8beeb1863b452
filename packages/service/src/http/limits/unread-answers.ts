import type { ServerResponse } from "node:http";

/** Maximum bytes, across tenants, that may wait in one process for clients to read them. */
export const unreadLimit = 64 * 1024 ** 2;

/** Shorter answers are not counted: the operating system buffers them. */
const shortAnswer = 64 * 1024;

/** The answers this process is sending. An answer its client doesn't read stays in memory. */
export interface UnreadAnswers {
  /**
   * Counts an answer until it has been sent. Beyond the limit, closes connections: the oldest one of the tenant with
   * the most unread bytes.
   */
  add(tenant: string, response: Pick<ServerResponse, "destroyed" | "once" | "destroy">, bytes: number): void;
}

interface Unread {
  readonly tenant: string;
  readonly bytes: number;
  readonly close: () => void;
}

export function unreadAnswers(limit = unreadLimit): UnreadAnswers {
  /** Oldest first. */
  const unread = new Set<Unread>();
  let total = 0;
  const forget = (answer: Unread) => {
    if (unread.delete(answer)) total -= answer.bytes;
  };
  return {
    add(tenant, response, bytes) {
      if (bytes < shortAnswer || response.destroyed) return;
      const answer = { tenant, bytes, close: () => void response.destroy() };
      unread.add(answer);
      total += bytes;
      response.once("close", () => forget(answer));
      while (total > limit) {
        const dropped = oldestOfLargest(unread);
        if (dropped === undefined) return;
        forget(dropped);
        dropped.close();
      }
    },
  };
}

function oldestOfLargest(unread: ReadonlySet<Unread>): Unread | undefined {
  const bytesOf = new Map<string, number>();
  for (const { tenant, bytes } of unread) bytesOf.set(tenant, (bytesOf.get(tenant) ?? 0) + bytes);
  const most = Math.max(...bytesOf.values());
  return [...unread].find(({ tenant }) => bytesOf.get(tenant) === most);
}
