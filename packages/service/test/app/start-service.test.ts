import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startService } from "../../src/index.ts";

test("a start that failed lets go of the data folder", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-app-"));
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  await expect(startService({ port, dataDir, logLevel: "silent" })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another process (EADDRINUSE). Stop it, or choose another port with --port.`,
  );
  const service = await startService({ port: 0, dataDir, logLevel: "silent" });
  await service.stop();
  taken.close();
  await rm(dataDir, { recursive: true });
}, 60_000);
