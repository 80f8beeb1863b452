import type { JsonPath } from "@lading/schema";
import { reject } from "../../errors.ts";

/**
 * Converts a payload's date and time to the database's form (ISO 8601 in UTC); undefined when there is none. Rejects an
 * invalid date, and a year outside 1 to 9999, with `ValidationError`.
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

/** Converts like `timestampOf`, for an update's field: null clears, and undefined means not sent. */
export const changedTimestamp = (
  written: string | null | undefined,
  path: JsonPath,
): string | null | undefined => (written === null ? null : timestampOf(written, path));
