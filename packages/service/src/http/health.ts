import type { FastifyInstance } from "fastify";
import type { Database } from "../storage/database.ts";
import { HttpFailure } from "./failures.ts";

/** `/health/live`: the process answers. `/health/ready`: the database does too, else 503. */
export function healthRoutes(app: FastifyInstance, database: Database): void {
  app.get("/health/live", async () => ({ status: "live" }));
  app.get("/health/ready", async (request) => {
    try {
      await database.query("SELECT 1");
    } catch (error) {
      request.log.error({ err: error }, "the database does not answer");
      throw new HttpFailure(503, "NotReady", "The database does not answer.");
    }
    return { status: "ready" };
  });
}
