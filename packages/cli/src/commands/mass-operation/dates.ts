import { startTime } from "@lading/schema/internal/bulk-task";
import { InvalidArgumentError } from "commander";

/** Reads a date and time with a time zone, in UTC. */
export function atDate(text: string): string {
  const time = startTime(text);
  if (time !== undefined) return time;
  throw new InvalidArgumentError(
    `"${text}" is not a date and time with an offset or Z, such as 2026-12-01T06:00+01:00.`,
  );
}
