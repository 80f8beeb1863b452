import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Database } from "../storage/database.ts";
import { HttpFailure } from "./failures.ts";

/** How long the database may take to answer, in milliseconds. */
const patience = 3_000;

/**
 * `/health/live`: the process answers. `/health/ready`: it takes work, that is the database answers and nobody has asked
 * it to stop; else 503.
 */
export function healthRoutes(app: FastifyInstance, database: Database, stopping: () => boolean): void {
  app.get("/health/live", async () => ({ status: "live" }));
  app.get("/health/ready", async (request) => {
    if (stopping()) throw new HttpFailure(503, "NotReady", "The service is stopping.");
    try {
      await answer(database);
    } catch (error) {
      request.log.error({ err: error }, "the database does not answer");
      throw new HttpFailure(503, "NotReady", "The database does not answer.");
    }
    return { status: "ready" };
  });
}

async function answer(database: Database): Promise<void> {
  const late = new AbortController();
  const timeout = setTimeout(patience, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no answer within ${patience} ms`);
  });
  try {
    await Promise.race([database.query("SELECT 1"), timeout]);
  } finally {
    late.abort();
    timeout.catch(() => {});
  }
}
