import { type Access, createTenant, type TenantClient, tenantClient } from "../../test/support/client.ts";
import { startServiceProcess } from "../../test/support/service-process.ts";

/** A service under measurement, and one tenant of it. */
export interface MeasuredService extends TenantClient {
  url: string;
  operatorToken: string;
  peakBytes(): Promise<number>;
  /** CPU time of the process so far, in milliseconds of one core. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a service process on a data folder and a PostgreSQL or, without one, an embedded engine; creates a tenant
 * unless it has one.
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
  return { ...tenantClient(url, "bench", access), url, operatorToken, peakBytes, cpuMs, stop };
}
