import type { JsonPath } from "@lading/schema";
import { reject } from "../../errors.ts";

/**
 * Converts a date and time of a payload to the form of the database (ISO 8601 in UTC); undefined when there is none.
 * Rejects with `ValidationError` an invalid date, and a year outside 1 to 9999.
 */
export function timestampOf(written: string, path: JsonPath): string;
export function timestampOf(written: string | null | undefined, path: JsonPath): string | undefined;
export function timestampOf(written: string | null | undefined, path: JsonPath): string | undefined {
  if (written === null || written === undefined) return undefined;
  const time = new Date(written);
  if (Number.isNaN(time.getTime()))
    return reject(
      "ValidationError",
      `"${written}" is not a date and time, such as 2026-01-31T12:00:00Z`,
      path,
    );
  const year = time.getUTCFullYear();
  if (year >= 1 && year <= 9999) return time.toISOString();
  return reject("ValidationError", `"${written}" is in the year ${year}; use one from 1 to 9999`, path);
}

/** Converts like `timestampOf`, for a field of an update: null clears, and undefined means that none was sent. */
export const changedTimestamp = (
  written: string | null | undefined,
  path: JsonPath,
): string | null | undefined => (written === null ? null : timestampOf(written, path));
