import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFleet } from "../../scripts/fleet-processes.ts";
import { createTenant, type TenantClient, tenantClient } from "../../test/support/client.ts";
import { startPostgres } from "../../test/support/postgres/postgres.ts";
import { startServiceProcess } from "../../test/support/service-process.ts";
import type { Engine } from "../program.ts";

/** A service shared by several tenants, on an empty durable database. */
export interface SharedService {
  /** A folder for files, removed by `close`. */
  folder: string;
  tenant(identifier: string): Promise<TenantClient>;
  close(): Promise<void>;
}

/** Starts an API and `runners` runners on PostgreSQL, or the single process that an embedded database allows. */
export async function openShared(engine: Engine, runners = 2): Promise<SharedService> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const service = server
    ? await fleet(folder, server.url, runners)
    : await startServiceProcess(folder, undefined, { LADING_ENGINE: engine });
  return {
    folder,
    async tenant(identifier) {
      const access = await createTenant(service.url, service.operatorToken, identifier);
      return tenantClient(service.url, identifier, access);
    },
    async close() {
      await service.stop();
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fleet(dataDir: string, databaseUrl: string, runners: number) {
  const environment = { LADING_RATE_LIMIT: "0" };
  const { url, stop } = await startFleet({ dataDir, databaseUrl, port: 0, environment, runners });
  const operatorToken = (await readFile(join(dataDir, "operator-token"), "utf8")).trim();
  return { url, operatorToken, stop };
}
