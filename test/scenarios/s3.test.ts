import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../../packages/service/src/index.ts";
import { createTenant, tenantClient } from "../support/client.ts";
import { type S3Server, startS3 } from "../support/s3.ts";
import { runFile } from "../support/service.ts";

let s3: S3Server;
let service: RunningService;
let dataDir: string;
beforeAll(async () => {
  s3 = await startS3();
  dataDir = await mkdtemp(join(tmpdir(), "lading-s3-scenario-"));
  service = await startService({ port: 0, dataDir, s3: s3.options, logLevel: "silent" });
});
afterAll(async () => {
  await service?.stop();
  await s3.close();
  await rm(dataDir, { recursive: true, force: true });
});

const tenant = async (identifier: string) =>
  tenantClient(service.url, identifier, await createTenant(service.url, service.operatorToken, identifier));

test("a file goes from the client to the bucket, and its operations are executed from there", async () => {
  const client = await tenant("shop");
  const operations = [{ intent: "customer/upsert", identifier: "ada", firstName: "Ada" }];
  const task = await runFile(client, { version: "1.0.0", operations });
  expect(task).toMatchObject({ status: "complete", progress: { total: 1, succeeded: 1 } });
  const form = await fetch(`${service.url}/uploads`, { method: "POST", headers: { connection: "close" } });
  expect(form.status).toBe(404);
});

test("what is no mass operation file ends its task in `error`, as with any store", async () => {
  const task = await runFile(await tenant("other"), "not JSON");
  expect(task).toMatchObject({ status: "error", info: { errorName: "ValidationError" } });
});
