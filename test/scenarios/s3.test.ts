import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../../packages/service/src/index.ts";
import { openS3Store, s3Bucket } from "../../packages/service/src/uploads/s3-store.ts";
import { createTenant, tenantClient } from "../support/client.ts";
import { eventually } from "../support/runner.ts";
import { type S3Server, startS3 } from "../support/servers/s3.ts";
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

test("a client uploads a file to the bucket, and the runner reads it from there", async () => {
  const client = await tenant("shop");
  const operations = [{ intent: "customer/upsert", identifier: "ada", firstName: "Ada" }];
  const task = await runFile(client, { version: "1.0.0", operations });
  expect(task).toMatchObject({ status: "complete", progress: { total: 1, succeeded: 1 } });
  const form = await fetch(`${service.url}/uploads`, { method: "POST", headers: { connection: "close" } });
  expect(form.status).toBe(404);
});

test("an upload that is not a mass operation file ends its task in `error`, as with any store", async () => {
  const task = await runFile(await tenant("other"), "not JSON");
  expect(task).toMatchObject({ status: "error", info: { errorName: "ValidationError" } });
});

test("the bucket keeps nothing of a deleted tenant, not even later uploads by its forms", async () => {
  const client = await tenant("gone");
  const { generatePresignedUploadRequest: form } = await client.graphql<{
    generatePresignedUploadRequest: { url: string; fields: { name: string; value: string }[] };
  }>(`mutation { generatePresignedUploadRequest(type: MEDIA, filename: "a.png", contentType: "image/png") {
    ... on PresignedUploadRequest { url fields { name value } } ... on BasicError { error } } }`);
  const early = await client.upload(new Blob(["{}"]));
  const store = await openS3Store(s3Bucket(s3.options));
  expect(await store.stat(early)).toBeDefined();

  await fetch(`${service.url}/operator`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.operatorToken}`, "content-type": "application/json" },
    body: JSON.stringify({
      query:
        'mutation { deleteTenant(identifier: "gone") { ... on DeletedTenant { id } ... on BasicError { error } } }',
    }),
  });
  expect(await store.stat(early)).toBeUndefined();

  const late = form.fields.find(({ name }) => name === "key")?.value as string;
  const body = new FormData();
  for (const { name, value } of form.fields) body.append(name, value);
  body.append("file", new Blob(["late"]));
  expect((await fetch(form.url, { method: "POST", body })).status).toBe(201);
  expect(await store.stat(late)).toBeDefined();
  await service.stop();
  service = await startService({ port: 0, dataDir, s3: s3.options, logLevel: "silent" });
  await eventually(
    () => store.stat(late),
    (found) => found === undefined,
  );
});
