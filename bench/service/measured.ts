import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Access, createTenant, type TenantClient, tenantClient } from "../../test/support/client.ts";
import { startPostgres } from "../../test/support/postgres/postgres.ts";
import { startServiceProcess } from "../../test/support/service-process.ts";
import type { Engine } from "../program.ts";

/** A service under measurement, and a tenant of it. */
export interface MeasuredService extends TenantClient {
  url: string;
  operatorToken: string;
  peakBytes(): Promise<number>;
  /** CPU time of the process so far, in milliseconds of one core. */
  cpuMs(): Promise<number>;
  /** May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts a service process on a data folder and a PostgreSQL or, without one, an embedded engine; creates a
 * tenant unless there is one.
 */
export async function startMeasured(
  dataDir: string,
  databaseUrl: string | undefined,
  engine: string,
  existing?: Access,
): Promise<MeasuredService> {
  const { url, operatorToken, peakBytes, cpuMs, stop } = await startServiceProcess(
    dataDir,
    databaseUrl,
    databaseUrl === undefined ? { LADING_ENGINE: engine } : {},
  );
  const access = existing ?? (await createTenant(url, operatorToken, "bench"));
  let stopped: Promise<void> | undefined;
  const once = () => {
    stopped ??= stop();
    return stopped;
  };
  return { ...tenantClient(url, "bench", access), url, operatorToken, peakBytes, cpuMs, stop: once };
}

/** Runs a function with a service on an empty durable database; stops it and removes its data folder afterwards. */
export async function withService<Result>(
  engine: Engine,
  work: (service: MeasuredService, data: { folder: string; url: string | undefined }) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const service = await startMeasured(folder, server?.url, engine);
  try {
    return await work(service, { folder, url: server?.url });
  } finally {
    await service.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
