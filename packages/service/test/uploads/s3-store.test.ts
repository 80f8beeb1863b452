import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { opened } from "../../../../test/support/opened.ts";
import { startS3 } from "../../../../test/support/servers/s3.ts";
import type { ObjectStore } from "../../src/uploads/object-store.ts";
import { openUploads } from "../../src/uploads/open.ts";
import { decodePolicy } from "../../src/uploads/policy.ts";
import type { S3Bucket } from "../../src/uploads/s3-errors.ts";
import { s3FormPresigner, s3PutPresigner } from "../../src/uploads/s3-presign.ts";
import { openS3Store, s3Bucket } from "../../src/uploads/s3-store.ts";
import { verifyUpload } from "../../src/uploads/verify.ts";
import { bodyOf, refusal, testObjectStore, textOf } from "./support/object-store-suite.ts";
import { formData } from "./support/upload-server.ts";

const roomy = { maxBytes: 100_000_000 };

const server = opened(startS3);

describe("a bucket of S3 as an object store:", () => {
  testObjectStore(async () => openS3Store(s3Bucket(await server.newBucket())));
});

describe("a bucket of S3", () => {
  let bucket: S3Bucket;
  let store: ObjectStore;
  let key: string;
  beforeAll(async () => {
    bucket = s3Bucket(await server.newBucket());
    store = await openS3Store(bucket);
  });
  beforeEach(() => {
    key = `tenant/${randomUUID()}`;
  });

  test("a bucket that cannot be used is refused with the reason and what to do", async () => {
    const missing = { ...server.options, bucket: "no-such-bucket" };
    await expect(openS3Store(s3Bucket(missing))).rejects.toMatchObject({
      name: "StoreUnavailable",
      message: expect.stringMatching(
        /^the bucket no-such-bucket cannot be used \(404 .*\): there is no such bucket: create it/,
      ),
    });
    const unknown = { ...server.options, accessKeyId: "NOBODY" };
    await expect(openS3Store(s3Bucket(unknown))).rejects.toThrow(
      /\(403 .*\): the store refuses the access key: correct it and its secret/,
    );
    const silent = { ...server.options, endpoint: "http://127.0.0.1:9" };
    await expect(openS3Store(s3Bucket(silent))).rejects.toMatchObject({
      name: "StoreUnavailable",
      message: expect.stringMatching(
        /\(ECONNREFUSED .*\): the store does not answer: start it, or correct its endpoint$/,
      ),
    });
  });

  test("a bucket's URL is known while its credentials are unavailable", { tags: "release" }, async () => {
    const { accessKeyId, secretAccessKey, ...options } = await server.newBucket();
    // As containers get them, and so old that each use requests them again.
    const credentials = createServer((_request, response) => {
      const Expiration = new Date(Date.now() - 1).toISOString();
      const keys = { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey };
      response.end(JSON.stringify({ ...keys, Token: "token", Expiration }));
    });
    await once(credentials.listen(0, "127.0.0.1"), "listening");
    const { port } = credentials.address() as AddressInfo;
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `http://127.0.0.1:${port}/`);
    try {
      const parts = { credential: { id: "", secret: "" }, tenantExists: async () => true };
      const uploads = await openUploads({ s3: options }, undefined, parts);
      credentials.closeAllConnections();
      await once(credentials.close(), "close");
      const form = { key, maxBytes: 1, lifetimeSeconds: 60 };
      await expect(uploads.presign(form)).rejects.toMatchObject({ name: "StoreUnavailable" });
      expect(uploads.address()).toBe(options.endpoint);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("a bucket takes an object larger than a part atomically, and leaves nothing of one that failed", async () => {
    const bytes = Buffer.alloc(9_000_000, "0123456789abcdef-");
    const stored = await store.put(key, bodyOf(bytes.subarray(0, 3), bytes.subarray(3)), roomy);
    expect(stored.bytes).toBe(bytes.length);
    expect(await store.stat(key)).toEqual(stored);
    expect(Buffer.concat(await Array.fromAsync(store.read(key, stored))).equals(bytes)).toBe(true);
    const failure = new Error("the client is gone");
    await expect(store.put(`${key}-2`, bodyOf(bytes, failure), roomy)).rejects.toBe(failure);
    expect(await store.stat(`${key}-2`)).toBeUndefined();
  });

  test("an object in a bucket is read by ranges from where the reader begins, not from the start", async () => {
    await store.put(key, bodyOf("x".repeat(1_000_000)), roomy);
    const before = server.requests.length;
    expect((await textOf(store.read(key, { start: 999_000 }))).length).toBe(1_000);
    expect((await textOf(store.read(key, { start: 7, end: 9 }))).length).toBe(2);
    expect(server.requests.slice(before)).toEqual([
      "HEAD",
      "GET bytes=999000-999999",
      "HEAD",
      "GET bytes=7-8",
    ]);
  });

  const write = (Body: string) =>
    bucket.client.send(new PutObjectCommand({ Bucket: bucket.name, Key: key, Body }));

  test.each([
    ["replaced by as many bytes", () => write("y".repeat(3_000_000)), "ObjectChanged"],
    ["replaced by fewer bytes", () => write("y"), "ObjectChanged"],
    [
      "removed",
      () => bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key })),
      "ObjectMissing",
    ],
  ] as const)(
    "a reader notices that an object was %s, before and while it is read",
    async (_, change, name) => {
      const { etag } = await store.put(key, bodyOf("x".repeat(3_000_000)), roomy);
      const reader = store.read(key, { etag })[Symbol.asyncIterator]();
      await reader.next();
      await change();
      // The bucket of the test writes into the file that it is sending: the part in transit may have both contents.
      const rest = async () => {
        while (!(await reader.next()).done);
      };
      await expect(rest()).rejects.toEqual(refusal(name));
      await expect(textOf(store.read(key, { etag }))).rejects.toEqual(refusal(name));
    },
  );

  test("an object in a bucket that no longer answers is not reported as missing", async () => {
    const gone = await startS3();
    const elsewhere = await openS3Store(s3Bucket(gone.options));
    await elsewhere.put(key, bodyOf("text"), roomy);
    await gone.close();
    await expect(textOf(elsewhere.read(key))).rejects.toMatchObject({ name: "StoreUnavailable" });
    await expect(elsewhere.stat(key)).rejects.toMatchObject({ name: "StoreUnavailable" });
  });

  describe("takes a presigned form", () => {
    const presign = () => s3FormPresigner(bucket)({ key, maxBytes: 500, lifetimeSeconds: 60 });

    test("a bucket answers a presigned form with 201, and shows the object under its key", async () => {
      const { url, fields, maxSize, lifetime } = await presign();
      expect([maxSize, lifetime, fields[0]]).toEqual([500, 60, { name: "key", value: key }]);
      const headers = { connection: "close" };
      const answer = await fetch(url, { method: "POST", headers, body: formData(fields, "{}") });
      expect(answer.status).toBe(201);
      expect(await textOf(store.read(key))).toBe("{}");
    });

    test("a presigned form for a bucket has the service's own policy, and the same signature", async () => {
      const { fields } = await presign();
      const form = new Map(fields.map(({ name, value }) => [name.toLowerCase(), value]));
      const credential = { id: "S3RVER", secret: "S3RVER" };
      const options = { bucket: bucket.name, credential, now: new Date() };
      expect(verifyUpload(form, options)).toEqual({ key, minBytes: 1, maxBytes: 500 });
      const { conditions } = decodePolicy(form.get("policy") as string);
      expect(conditions).toContainEqual({ success_action_status: "201" });
      form.set("key", "another");
      expect(() => verifyUpload(form, options)).toThrow("key");
    });
  });
});

describe("a store that takes no form", () => {
  const strict = opened(() => startS3({ isStrict: true, takesForms: false }));
  const bytes = 5;
  let bucket: S3Bucket;
  let key: string;
  let url: string;
  beforeEach(async () => {
    bucket = s3Bucket(await strict.newBucket());
    key = `tenant/${randomUUID()}/My-file.json`;
    ({ url } = await s3PutPresigner(bucket)({ key, maxBytes: 500, bytes, lifetimeSeconds: 60 }));
  });

  const put = async (to: string, body: string | Blob, init: RequestInit = {}) => {
    const response = await fetch(to, { method: "PUT", body, ...init });
    const code = /<Code>(.*?)</.exec(await response.text())?.[1];
    return [response.status, ...(code === undefined ? [] : [code])];
  };
  const stored = async () => (await openS3Store(bucket)).stat(key);
  const changed = (name: string, value: string) => {
    const other = new URL(url);
    other.searchParams.set(name, value);
    return other.href;
  };
  const mismatch = [403, "SignatureDoesNotMatch"];

  test.each(["1234", "123456", ""])(
    "a presigned PUT of 5 bytes is refused with the file %j",
    async (file) => {
      expect(await put(url, file)).toEqual(mismatch);
      expect(await stored()).toBeUndefined();
    },
  );

  test("a presigned PUT is refused without a length", async () => {
    const stream = new Blob(["12345"]).stream();
    expect(await put(url, "", { body: stream, duplex: "half" } as RequestInit)).toEqual(mismatch);
    expect(await stored()).toBeUndefined();
  });

  test.each([
    ["another key", () => url.replace("My-file", "Other")],
    ["another bucket", () => url.replace(bucket.name, "bucket-1")],
    ["a later expiry", () => changed("X-Amz-Expires", "600")],
    ["a later date", () => changed("X-Amz-Date", "29990101T000000Z")],
    ["the length no longer signed", () => changed("X-Amz-SignedHeaders", "host")],
    ["another signature", () => changed("X-Amz-Signature", "0".repeat(64))],
    ["one more parameter", () => `${url}&uploadId=1`],
  ])("a presigned PUT is refused with %s", async (_what, other) => {
    expect(await put(other(), "12345")).toEqual(mismatch);
    expect(await stored()).toBeUndefined();
  });

  test.each(["GET", "DELETE"])("a presigned PUT does not permit %s", async (method) => {
    expect(await put(url, "12345")).toEqual([200]);
    expect(await put(url, "", { method, body: null })).toEqual(mismatch);
    expect(await stored()).toMatchObject({ bytes });
  });

  test("a presigned PUT is refused after its expiry", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 61_000 });
    const presign = s3PutPresigner(bucket);
    const late = await presign({ key, maxBytes: 500, bytes, lifetimeSeconds: 60 }).finally(() =>
      vi.useRealTimers(),
    );
    expect(await put(late.url, "12345")).toEqual([403, "AccessDenied"]);
  });

  test("a PUT that was presigned without a size takes no file", async () => {
    const unsized = await s3PutPresigner(bucket)({ key, maxBytes: 500, lifetimeSeconds: 60 });
    expect(await put(unsized.url, "12345")).toEqual(mismatch);
  });

  test("a presigned PUT stores the file under its key, whatever its type", async () => {
    const { fields, method, maxSize, lifetime } = await s3PutPresigner(bucket)({
      ...{ key, maxBytes: 500, bytes, lifetimeSeconds: 60 },
    });
    expect({ fields, method, maxSize, lifetime }).toEqual({
      ...{ fields: [{ name: "key", value: key }], method: "PUT", maxSize: 500, lifetime: 60 },
    });
    expect(await put(url, new Blob(["12345"], { type: "application/json" }))).toEqual([200]);
    expect(await stored()).toMatchObject({ bytes });
  });
});
