/** @module-tag release */

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningFleet, startFleet } from "../../scripts/fleet-processes.ts";
import { createTenant, tenantClient } from "../support/client.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { type S3Server, startS3 } from "../support/servers/s3.ts";
import { finished, startFile } from "../support/service.ts";

let dataDir: string;
let database: FreshDatabase;
let s3: S3Server;
let fleet: RunningFleet;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lading-fleet-"));
  [database, s3] = [await freshDatabase(), await startS3()];
  const { bucket, endpoint, accessKeyId, secretAccessKey } = s3.options;
  fleet = await startFleet({
    databaseUrl: database.url,
    dataDir,
    port: 0,
    environment: {
      LADING_S3_BUCKET: bucket,
      LADING_S3_ENDPOINT: endpoint as string,
      LADING_S3_ACCESS_KEY_ID: accessKeyId as string,
      LADING_S3_SECRET_ACCESS_KEY: secretAccessKey as string,
      LADING_LEASE_MS: "1000",
    },
  });
}, 180_000);
afterAll(async () => {
  await fleet?.stop();
  await s3?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test("one API and two runners on PostgreSQL and S3 execute a file, even if a runner is killed", async () => {
  const token = readFileSync(join(dataDir, "operator-token"), "utf8").trim();
  const client = tenantClient(fleet.url, "shop", await createTenant(fleet.url, token, "shop"));
  const operations = Array.from({ length: 4_000 }, (_, i) => ({
    intent: "customer/group/create",
    identifier: `g${i}`,
    name: "n",
  }));
  const ids = [];
  for (let i = 0; i < 2; i++)
    ids.push(
      await startFile(client, { version: "1.0.0", operations: operations.slice(i * 2_000, (i + 1) * 2_000) }),
    );
  fleet.runners[0]?.kill("SIGKILL");
  for (const id of ids)
    expect(await finished(client, id)).toMatchObject({
      status: "complete",
      progress: { processed: 2_000, succeeded: 2_000 },
    });
  expect(s3.requests.filter((request) => request.startsWith("POST"))).toHaveLength(2);
}, 180_000);
