import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Access, createTenant, type TenantClient, tenantClient } from "../test/support/client.ts";

/** A service under measurement, and one tenant of it. */
export interface MeasuredService extends TenantClient {
  peakBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a service process on a data folder and, if given, a PostgreSQL; creates a tenant unless it has one. */
export async function startMeasured(
  dataDir: string,
  databaseUrl: string | undefined,
  existing?: Access,
): Promise<MeasuredService> {
  const child = fork(join(import.meta.dirname, "serve.ts"), [dataDir, databaseUrl ?? ""]);
  const [{ url, operatorToken }] = await once(child, "message");
  const access = existing ?? (await createTenant(url, operatorToken, "bench"));
  return {
    ...tenantClient(url, "bench", access),
    peakBytes: async () => {
      child.send("memory");
      const [{ peakBytes }] = await once(child, "message");
      return peakBytes;
    },
    stop: async () => {
      child.send("stop");
      await once(child, "exit");
    },
  };
}
