import { reject } from "../../errors.ts";

/**
 * A date and time of a payload as the database keeps it (ISO 8601 in UTC); undefined when there is none.
 * Rejects with `ValidationError` what is no date, and a year that is not within 1 to 9999.
 */
export function timestampOf(
  written: string | null | undefined,
  path: (string | number)[],
): string | undefined {
  if (written === null || written === undefined) return undefined;
  const time = new Date(written);
  if (Number.isNaN(time.getTime()))
    return reject("ValidationError", `"${written}" is no date and time, such as 2026-01-31T12:00:00Z`, path);
  const year = time.getUTCFullYear();
  if (year >= 1 && year <= 9999) return time.toISOString();
  return reject("ValidationError", `"${written}" is in the year ${year}; use one from 1 to 9999`, path);
}

/** As `timestampOf`, for a field of an update: null clears, and undefined means that none was sent. */
export const changedTimestamp = (
  written: string | null | undefined,
  path: (string | number)[],
): string | null | undefined => (written === null ? null : timestampOf(written, path));
