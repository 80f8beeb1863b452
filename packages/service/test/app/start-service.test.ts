import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migratedDatabase } from "../../../../test/support/database.ts";
import { unpackPglite } from "../../../../test/support/postgres/pglite-folder.ts";
import { startService } from "../../src/index.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lading-app-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("a start that failed lets go of the data folder", { tags: "release" }, async () => {
  const dataDir = await newFolder();
  await unpackPglite(dataDir);
  const options = { dataDir, engine: "pglite", logLevel: "silent" } as const;
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  await expect(startService({ ...options, port })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another process (EADDRINUSE). Stop it, or choose another port with --port.`,
  );
  const service = await startService({ ...options, port: 0 });
  await service.stop();
  taken.close();
});

test("metrics are at a port of their own alone where the setting names one, and their port is named when it is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port: metricsPort } = taken.address() as { port: number };
  const database = await migratedDatabase();
  onTestFinished(() => database.drop());
  const where = { dataDir: await newFolder(), databaseUrl: database.url };
  const options = { ...where, port: 0, logLevel: "silent", metricsPort } as const;
  await expect(startService(options)).rejects.toThrow(
    `Port ${metricsPort} of 127.0.0.1 is in use by another process (EADDRINUSE). Stop it, or choose another port with LADING_METRICS_PORT.`,
  );
  taken.close();
  await once(taken, "close");
  for (const role of ["all", "runner"] as const) {
    const service = await startService({ ...options, role });
    const statusOf = async (url: string) => (await fetch(url, { headers: { connection: "close" } })).status;
    const metrics = `http://127.0.0.1:${metricsPort}`;
    expect([await statusOf(`${service.url}/metrics`), await statusOf(`${metrics}/metrics`)]).toEqual([
      404, 200,
    ]);
    expect([await statusOf(`${service.url}/health/live`), await statusOf(`${metrics}/health/live`)]).toEqual([
      200, 200,
    ]);
    expect(await statusOf(`${metrics}/@shop`)).toBe(404);
    await service.stop();
    await expect(fetch(metrics)).rejects.toThrow();
  }
});
