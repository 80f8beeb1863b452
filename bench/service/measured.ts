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

/** Starts a service process on a data folder and, if given, a PostgreSQL; creates a tenant unless it has one. */
export async function startMeasured(
  dataDir: string,
  databaseUrl: string | undefined,
  existing?: Access,
): Promise<MeasuredService> {
  const { url, operatorToken, peakBytes, cpuMs, stop } = await startServiceProcess(dataDir, databaseUrl);
  const access = existing ?? (await createTenant(url, operatorToken, "bench"));
  return { ...tenantClient(url, "bench", access), url, operatorToken, peakBytes, cpuMs, stop };
}
