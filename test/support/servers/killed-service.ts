import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../../packages/service/src/storage/database.ts";
import { openPglite } from "../../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../../packages/service/src/storage/engines/postgres.ts";
import { freshDatabase } from "../database.ts";
import { unpackPglite } from "../postgres/pglite-folder.ts";
import { type ServiceProcess, startServiceProcess } from "../service-process.ts";

/** A database for a service that is killed and another one that resumes. */
export interface KilledService {
  start(): Promise<ServiceProcess>;
  /** Reads the database, which only one process can open on PGlite. */
  looked<Result>(look: (database: Database) => Promise<Result>): Promise<Result>;
}

export const killedEngines = ["pglite", "postgresql"] as const;

/** Runs a test on a new database, which is removed afterwards. */
export async function withKilledService(
  engine: (typeof killedEngines)[number],
  work: (service: KilledService) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "lading-killed-"));
  const fresh = engine === "postgresql" ? await freshDatabase() : undefined;
  try {
    if (engine === "pglite") await unpackPglite(folder);
    // The shortest lease: on PostgreSQL, the next service waits for the end of the killed one's.
    const settings = { LADING_LEASE_MS: "1000", ...(engine === "pglite" && { LADING_ENGINE: engine }) };
    await work({
      start: () => startServiceProcess(folder, fresh?.url, settings),
      async looked(look) {
        const database = fresh ? openPostgres(fresh.url) : await openPglite(join(folder, "database"));
        return look(database).finally(database.close);
      },
    });
  } finally {
    await fresh?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}
