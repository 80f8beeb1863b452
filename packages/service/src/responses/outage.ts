import type { Logger } from "pino";
import { DiskFull } from "../storage/engines/disk-space.ts";
import { isDiskFull, isOutage } from "../storage/sql-states.ts";
import { StoreUnavailable } from "../uploads/object-store.ts";

/** True for an error that says that the database or the object store does not answer, which is not a defect. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable || isOutage(error);

/** The body of a 503 while the database or the object store does not answer. */
const unavailable = {
  code: "ServiceUnavailable",
  message:
    "The service's database or object store does not respond now. Try again; " +
    "before you repeat a mutation, look up whether it was carried out.",
} as const;

/** The same while the trouble is a disk without space. */
const diskFull = (({ code, message }) => ({ code, message }))(new DiskFull());

export const outageCodes: readonly string[] = [unavailable.code, diskFull.code];

/** The code and message that clients get for an error that `isUnavailable`. */
export const outageOf = (error: unknown): { code: string; message: string } =>
  isDiskFull(error) ? diskFull : unavailable;

/** The log that errors go to: the service's, or that of a request. */
export type ErrorLogger = Pick<Logger, "error">;

export function logOutage(error: unknown, logger: ErrorLogger): void {
  // The log already has the full disk, and has the request with its status.
  if (error instanceof DiskFull) return;
  logger.error({ err: error }, "a request met an outage of the database or the object store");
}
