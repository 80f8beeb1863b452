import { randomUUID } from "node:crypto";
import type { ErrorLogger } from "./outage.ts";

/** Logs a defect under a new reference id; returns the id and the message that clients get instead. */
export function logDefect(defect: unknown, logger: ErrorLogger): { message: string; referenceId: string } {
  const referenceId = randomUUID();
  logger.error({ err: defect, referenceId }, "a request met a defect of the service");
  return {
    message: `A defect of the service; its log has more under the reference id ${referenceId}.`,
    referenceId,
  };
}
