import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { DiskFull } from "../storage/engines/disk-space.ts";
import { isDiskFull, isOutage } from "../storage/sql-states.ts";
import { StoreUnavailable } from "../uploads/object-store.ts";

/** True for an error that says the database or the object store is unreachable, which is not a defect. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable || isOutage(error);

/** The body of a 503 while the database or the object store is unreachable. */
const unavailable = {
  code: "ServiceUnavailable",
  message:
    "The service's database or object store is unreachable. Try again; " +
    "before you repeat a mutation, check whether it was executed.",
} as const;

/** The same while a disk is full. */
const diskFull = (({ code, message }) => ({ code, message }))(new DiskFull());

export const outageCodes: readonly string[] = [unavailable.code, diskFull.code];

/** The code and message that clients get for an error that `isUnavailable`. */
export const outageOf = (error: unknown): { code: string; message: string } =>
  isDiskFull(error) ? diskFull : unavailable;

/** Where errors are logged: the service's log, or a request's. */
export type ErrorLogger = Pick<Logger, "error">;

export function logOutage(error: unknown, logger: ErrorLogger): void {
  // The full disk is already logged, and so is the request with its status.
  if (error instanceof DiskFull) return;
  logger.error({ err: error }, "the database or the object store is unreachable");
}

/** Logs a defect under a new reference id; returns the id and the message that clients get instead. */
export function logDefect(defect: unknown, logger: ErrorLogger): { message: string; referenceId: string } {
  const referenceId = randomUUID();
  logger.error({ err: defect, referenceId }, "internal error");
  return {
    message: `Internal error; see reference ${referenceId} in the service log.`,
    referenceId,
  };
}
