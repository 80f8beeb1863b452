import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { lading } from "../../packages/cli/test/support/lading.ts";
import { type RunningService, startService } from "../../packages/service/src/index.ts";
import { openS3Store, s3Bucket } from "../../packages/service/src/uploads/s3-store.ts";
import { createTenant, operatorPost, type TenantClient, tenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { eventually } from "../support/runner.ts";
import { type S3Server, startS3 } from "../support/servers/s3.ts";
import { finished, openService, runFile, startPending } from "../support/service.ts";

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

describe("a store that takes no form", () => {
  const store = opened(() => startS3({ isStrict: true, takesForms: false }));
  const own = opened(() => openService("postgresql", { s3: { ...store.options, uploads: "put" } }));
  const content = JSON.stringify({
    version: "1.0.0",
    operations: [{ intent: "customer/upsert", identifier: "ada", firstName: "Ada" }],
  });
  let client: TenantClient;
  beforeAll(async () => {
    client = await own.tenant("shop");
  });

  /** Requests an upload for a file of some bytes. */
  async function requested(bytes: number): Promise<{ url: string; key: string }> {
    const { request } = await client.graphql<{ request: { url: string; fields: { value: string }[] } }>(
      `mutation ($size: Float!) { request: generatePresignedUploadRequest(
         type: MASS_OPERATIONS, filename: "f.json", contentType: "application/json", size: $size, methods: [PUT]) {
         ... on PresignedUploadRequest { url fields { value } } ... on BasicError { error } } }`,
      { size: bytes },
    );
    return { url: request.url, key: request.fields[0]!.value };
  }

  const put = async (url: string, body: string) =>
    (await fetch(url, { method: "PUT", body, headers: { connection: "close" } })).status;

  const create = async (key: string) =>
    (
      await client.graphql<{ task: { id?: string; errorName?: string; error?: string } }>(
        `mutation ($key: String!) { task: createMassOperationBulkTask(input: { key: $key }) {
           ... on BulkTaskMassOperation { id } ... on BasicError { errorName error } } }`,
        { key },
      )
    ).task;

  test("a client that only knows the form gets an error that names PUT, before it sends anything", async () => {
    const { request } = await client.graphql<{ request: { error: string } }>(
      `mutation { request: generatePresignedUploadRequest(
         type: MASS_OPERATIONS, filename: "f.json", contentType: "application/json") {
         ... on PresignedUploadRequest { url } ... on BasicError { error } } }`,
    );
    expect(request.error).toMatch(
      /^The object store of this service takes files by PUT only\. .*"methods: \[PUT\]"/,
    );
  });

  test("a file of another size than was signed is refused, and no task created of it", async () => {
    const { url, key } = await requested(content.length - 1);
    expect(await put(url, content)).toBe(403);
    expect(await create(key)).toMatchObject({ errorName: "UploadNotFoundError" });
  });

  test("a file larger than the limit that the store took anyway is not used", async () => {
    const { url, key } = await requested(content.length);
    expect(await put(url, content)).toBe(200);
    const limit = (bytes: number) =>
      operatorPost(
        own,
        `mutation ($bytes: Float!) { updateTenant(identifier: "shop", input: { uploadMaxBytes: $bytes }) {
           ... on Tenant { name } ... on BasicError { error } } }`,
        { bytes },
      );
    await limit(content.length - 1);
    expect(await create(key)).toMatchObject({
      errorName: "ValidationError",
      error: expect.stringContaining(`${content.length} bytes; the tenant's limit is ${content.length - 1}`),
    });
    await limit(1024 ** 3);
    expect(await create(key)).toHaveProperty("id");
  });

  test("a file that is replaced by the same PUT after its task was created ends the task", async () => {
    const { url, key } = await requested(content.length);
    expect(await put(url, content)).toBe(200);
    const { id = "" } = await create(key);
    expect(await put(url, content.replaceAll("ada", "eve"))).toBe(200);
    await startPending(client, id);
    expect(await finished(client, id)).toMatchObject({
      status: "error",
      info: { errorName: "ObjectChanged" },
    });
  });

  test("the command uploads a file there and runs it", async () => {
    const { accessTokenId, accessTokenSecret } = client.access;
    vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", accessTokenSecret);
    const path = join(own.dataDir, "shop.json");
    await writeFile(path, content);
    const token = ["--token-id", accessTokenId];
    const run = ["mass-operation", "run", "shop", path, "--url", own.url, ...token];
    const { code, stdout } = await lading(run).finally(vi.unstubAllEnvs);
    expect(code).toBe(0);
    expect(stdout).toContain("1 succeeded");
  });
});
