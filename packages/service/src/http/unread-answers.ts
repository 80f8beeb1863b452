import type { ServerResponse } from "node:http";

/** Bytes of answers that wait for their clients in one process, whoever they are for. */
export const unreadLimit = 128 * 1024 ** 2;

/** Shorter answers are not counted: the system takes them, read or not. */
const shortAnswer = 64 * 1024;

/** The answers of this process that are being sent. A client that reads none of it leaves all of it in memory. */
export interface UnreadAnswers {
  /**
   * Counts an answer until it was sent. Beyond the limit connections are closed: the oldest of the tenant whose answers
   * take the most.
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

/** Returns the oldest answer of the tenant whose answers take the most. */
function oldestOfLargest(unread: ReadonlySet<Unread>): Unread | undefined {
  const bytesOf = new Map<string, number>();
  for (const { tenant, bytes } of unread) bytesOf.set(tenant, (bytesOf.get(tenant) ?? 0) + bytes);
  const most = Math.max(...bytesOf.values());
  return [...unread].find(({ tenant }) => bytesOf.get(tenant) === most);
}
