import type { ServerResponse } from "node:http";

/** The largest number of bytes, of all tenants, that may wait in one process for clients to read them. */
export const unreadLimit = 64 * 1024 ** 2;

/** Shorter answers are not counted: the operating system buffers them. */
const shortAnswer = 64 * 1024;

/** The answers that this process is sending. An answer that its client does not read stays in memory. */
export interface UnreadAnswers {
  /**
   * Counts an answer until it has been sent. Beyond the limit connections are closed: the oldest one of the tenant
   * whose answers take the most.
   */
  add(tenant: string, response: Pick<ServerResponse, "destroyed" | "once" | "destroy">, bytes: number): void;
}

interface Unread {
  readonly tenant: string;
  readonly bytes: number;
  readonly close: () => void;
}

export function unreadAnswers(limit = unreadLimit): UnreadAnswers {
  /** The oldest first. */
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
