import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedded } from "../../../packages/service/src/storage/engines/embedded.ts";
import { openPostgres } from "../../../packages/service/src/storage/engines/postgres.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { examine, type Writing, write } from "./writers.ts";

/**
 * Runs writers on their own services, each a process: two on a PostgreSQL database, which must be empty, or
 * one with the embedded one. Answers what was wrong.
 */
export async function writeOn(
  databaseUrl: string | undefined,
  options: Omit<Writing, "services">,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "lading-writers-"));
  const services: ServiceProcess[] = [];
  try {
    // One after the other: the first makes what both have in their folder.
    for (let n = databaseUrl === undefined ? 1 : 2; n > 0; n--)
      services.push(await startServiceProcess(folder, databaseUrl));
    const written = await write({ ...options, services });
    for (const service of services) await service.stop();
    const database = databaseUrl
      ? openPostgres(databaseUrl)
      : (await openEmbedded(join(folder, "database"))).database;
    const wrong = await examine(database, written).finally(() => database.close());
    return [...written.defects, ...wrong];
  } finally {
    for (const { process } of services) if (process.exitCode === null) process.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}
