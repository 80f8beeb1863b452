import { durationText, exactTime, timeText } from "../format.ts";
import { useNow } from "../use-now.ts";

/** A time in the reader's zone; the exact one is shown on hover. A dash where there is none. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <>–</>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {timeText(at)}
    </time>
  );
}

/** The time from one moment to another, or until now while there is no other. */
export function Elapsed({ from, to }: { from: string; to: string | null }) {
  const end = to === null ? undefined : Date.parse(to);
  if (end !== undefined) return <>{durationText(Math.max(0, end - Date.parse(from)))}</>;
  return <ElapsedUntilNow from={Date.parse(from)} />;
}

function ElapsedUntilNow({ from }: { from: number }) {
  const seconds = Math.max(0, Math.floor((useNow() - from) / 1_000));
  return <>{durationText(seconds * 1_000)}</>;
}
