import { randomUUID } from "node:crypto";
import type { ErrorLogger } from "./outage.ts";

/** Logs a defect under a new reference id; returns the id and the message that clients get instead. */
export function logDefect(defect: unknown, logger: ErrorLogger): { message: string; referenceId: string } {
  const referenceId = randomUUID();
  logger.error({ err: defect, referenceId }, "internal error");
  return {
    message: `Internal error; see reference ${referenceId} in the service log.`,
    referenceId,
  };
}
