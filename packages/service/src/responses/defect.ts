import { randomUUID } from "node:crypto";
import type { ErrorLogger } from "./outage.ts";

/** Logs a defect under a new reference id; answers it and the text that clients get instead of the defect's own. */
export function logDefect(defect: unknown, logger: ErrorLogger): { message: string; referenceId: string } {
  const referenceId = randomUUID();
  logger.error({ err: defect, referenceId }, "a request met a defect of the service");
  return {
    message: `A defect of the service; its log has more under the reference id ${referenceId}.`,
    referenceId,
  };
}
