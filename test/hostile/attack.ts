import type { TenantClient } from "../support/client.ts";

export interface Attacker {
  /** Of the service, without a tenant. */
  url: string;
  client: TenantClient;
  /** Fires when the attack has lasted long enough; it is to end soon then. */
  over: AbortSignal;
  /** Uploads and starts a file of operations; answers the task's id. */
  start(operations: Iterable<object>): Promise<string>;
  /** Like `start`, but uploads the bytes as they are: not a valid file, or too large for a string. */
  startRaw(file: Blob): Promise<string>;
  /** Waits for the end of a task, or of the attack; answers in a few words how it ended. */
  ended(taskId: string): Promise<string>;
  /** Sends a body to the tenant's API; answers the status, how many bytes the answer has, and why it was refused. */
  post(body: string): Promise<{ status: number; bytes: number; message: string }>;
}

export interface Attack {
  name: string;
  /** Prepares the attack, such as data to read. Not measured. */
  prepare?(attacker: Attacker): Promise<void>;
  /** Answers in a few words what came of it. */
  run(attacker: Attacker): Promise<string>;
}

/** `3 × 200, 1 × 400` */
export function tally(words: readonly (string | number)[]): string {
  const counts = Map.groupBy(words, (word) => word);
  return [...counts]
    .map(([word, all]) => (all.length === 1 ? `${word}` : `${all.length} × ${word}`))
    .join(", ");
}

export const many = <Entry>(count: number, make: (i: number) => Entry): Entry[] =>
  Array.from({ length: count }, (_, i) => make(i));
