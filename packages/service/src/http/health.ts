import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Database } from "../storage/database.ts";
import { ping } from "../storage/session.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { HttpFailure } from "./http-failure.ts";

/** The phase of a process: `/health/ready` answers 503 unless it is `ready`. */
export type Phase = "starting" | "ready" | "stopping";

/** The longest time that the database may take to answer, in milliseconds. */
const answerTimeout = 3_000;

/**
 * Adds `/health/live`, which always answers, and `/health/ready`, which answers 503 while the process accepts no work:
 * the database is unreachable or read-only, or the service is starting or stopping. Low disk space for uploads alone is
 * only mentioned.
 */
export function healthRoutes(
  app: FastifyInstance,
  { database, store, phase }: { database: Database; store?: ObjectStore; phase: () => Phase },
): void {
  app.get("/health/live", async () => ({ status: "live" }));
  app.get("/health/ready", async (request) => {
    const now = phase();
    if (now !== "ready") throw new HttpFailure(503, "NotReady", `The service is ${now}.`);
    if (database.diskIsFull?.())
      throw new HttpFailure(503, "NotReady", "The disk of the database is full: only reads are served.");
    try {
      await answer(database);
    } catch (error) {
      request.log.error({ err: error }, "the database does not answer");
      throw new HttpFailure(503, "NotReady", "The database is unreachable.");
    }
    const uploads = (await store?.diskIsFull?.()) && "The disk is full: uploads are refused.";
    return { status: "ready", ...(uploads && { uploads }) };
  });
}

async function answer(database: Database): Promise<void> {
  const late = new AbortController();
  const timeout = setTimeout(answerTimeout, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no answer within ${answerTimeout} ms`);
  });
  try {
    await Promise.race([ping(database), timeout]);
  } finally {
    late.abort();
    timeout.catch(() => {});
  }
}
