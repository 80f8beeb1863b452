import { count } from "../context.ts";
import type { Task } from "./task.ts";

export interface Pace {
  note(task: Task): void;
  /** Resets the measured speed. */
  forget(): void;
  /** `9,800/s, 2 min left`; empty as long as too little is known. */
  text(task: Task): string;
}

/** The period over which the speed is measured, in milliseconds. */
const windowMs = 10_000;

export function pace(now: () => number = () => performance.now()): Pace {
  const samples: { at: number; processed: number }[] = [];
  return {
    note({ progress: { processed } }) {
      samples.push({ at: now(), processed });
      while (samples.length > 2 && samples[1]!.at < now() - windowMs) samples.shift();
    },
    forget: () => void samples.splice(0),
    text({ progress: { total, processed } }) {
      const [first, last] = [samples[0], samples.at(-1)];
      if (first === undefined || last === undefined || last.processed === first.processed) return "";
      const rate = ((last.processed - first.processed) / (last.at - first.at)) * 1_000;
      const remaining = total === null ? [] : [`${duration((total - processed) / rate)} left`];
      return [`${count(rate < 10 ? Number(rate.toPrecision(2)) : Math.round(rate))}/s`, ...remaining].join(
        ", ",
      );
    },
  };
}

/** A time that was measured: `180 ms`, `2.4 s`, then as `duration`. */
export function elapsed(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  return seconds < 10 ? `${Number(seconds.toFixed(1))} s` : duration(seconds);
}

/** `48 s`, `3 min`, `2 h 5 min` */
export function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
