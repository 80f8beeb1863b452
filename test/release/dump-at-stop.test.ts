import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTenant } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { lading, serve } from "../support/lading.ts";

/** Time limit for the process to exit, in milliseconds: the default grace plus five seconds. */
const atLast = 15_000;

test("`lading serve`, sent SIGTERM in the middle of a dump, stops, and the dump leaves no file and says why", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-dump-"));
  const fresh = await freshDatabase();
  const client = new pg.Client(fresh.url);
  onTestFinished(async () => {
    await client.end();
    await fresh.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const dataDir = join(folder, "data");
  const service = await serve(["--data-dir", dataDir, "--database-url", fresh.url]);
  const operatorToken = (await readFile(join(dataDir, "operator-token"), "utf8")).trim();
  const { accessTokenId, accessTokenSecret } = await createTenant(service.url, operatorToken, "shop");

  await client.connect();
  await client.query("BEGIN; LOCK TABLE flows");
  const dump = lading(["tenant", "dump", "shop", join(folder, "shop.json"), "--url", service.url], {
    LADING_ACCESS_TOKEN_ID: accessTokenId,
    LADING_ACCESS_TOKEN_SECRET: accessTokenSecret,
  });
  await vi.waitFor(
    async () => {
      const { rows } = await client.query(`SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE NOT granted AND datname = current_database()`);
      expect(rows).toHaveLength(1);
      expect((await readdir(folder)).filter((name) => name.startsWith("shop.json"))).toHaveLength(1);
    },
    { timeout: 60_000, interval: 50 },
  );
  const began = performance.now();
  expect(await service.stop()).toMatchObject({ code: 0 });
  expect(performance.now() - began).toBeLessThan(atLast);
  expect(await dump).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("broke before everything was read"),
  });
  expect(await readdir(folder)).toEqual(["data"]);
}, 180_000);
