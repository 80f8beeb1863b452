import { count, type Sink, table } from "../context.ts";
import type { LogEntry } from "./task.ts";

/** Counts of operations by intent and status, in the order in which the intents first appeared. */
export type Tally = Map<string, Record<LogEntry["status"], number>>;

export function add(tally: Tally, { intent, status }: LogEntry): void {
  const counts = tally.get(intent) ?? { success: 0, partial: 0, failure: 0 };
  counts[status]++;
  tally.set(intent, counts);
}

export function printTally(sink: Sink, tally: Tally): void {
  if (tally.size === 0) return;
  const rows = [...tally].map(([intent, { success, partial, failure }]) => [
    intent,
    ...[success, partial, failure].map(count),
  ]);
  table(sink, [["intent", "succeeded", "partial", "failed"], ...rows], [1, 2, 3]);
}
