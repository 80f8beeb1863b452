import { useSyncExternalStore } from "react";
import { durationText, exactTime, timeText } from "../format.ts";

/** A time in the reader's zone, with the exact time on hover. A dash if there is none. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <>–</>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {timeText(at)}
    </time>
  );
}

/** The time between two moments, or until now without an end. */
export function Elapsed({ from, to }: { from: string; to: string | null }) {
  const end = to === null ? undefined : Date.parse(to);
  if (end !== undefined) return <>{durationText(Math.max(0, end - Date.parse(from)))}</>;
  return <ElapsedUntilNow from={Date.parse(from)} />;
}

function ElapsedUntilNow({ from }: { from: number }) {
  const seconds = Math.max(0, Math.floor((useNow() - from) / 1_000));
  return <>{seconds === 0 ? "0 s" : durationText(seconds * 1_000)}</>;
}

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time in milliseconds, updated every second while a component shows it. */
const useNow = () => useSyncExternalStore(subscribe, () => now);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
