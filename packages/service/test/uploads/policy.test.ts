import { describe, expect, test } from "vitest";
import type { Policy, PresignOptions } from "../../src/uploads/policy.ts";
import { decodePolicy, encodePolicy, presignUpload } from "../../src/uploads/policy.ts";
import { signPolicy } from "../../src/uploads/signature.ts";
import { verifyUpload } from "../../src/uploads/verify.ts";

const credential = { id: "LADINGTEST", secret: "a secret of this test" };
const now = new Date("2026-03-04T05:06:07.890Z");
const key = "65a1b2c3d4e5f60718293a4b/mass-operations/0123456789abcdef0123456789abcdef/shop.json";
const options: PresignOptions = {
  key,
  maxBytes: 1_000,
  lifetimeSeconds: 900,
  publicUrl: "https://lading.test/",
  bucket: "uploads",
  credential,
  now,
};

function formOf(presign: Partial<PresignOptions> = {}): Map<string, string> {
  const { fields } = presignUpload({ ...options, ...presign });
  return new Map(fields.map(({ name, value }) => [name.toLowerCase(), value]));
}

/** A form whose policy was changed by someone who knows the secret. */
function formWithPolicy(change: (policy: Policy) => Policy): Map<string, string> {
  const form = formOf();
  const policy = encodePolicy(change(decodePolicy(form.get("policy")!)));
  return form.set("policy", policy).set("x-amz-signature", signPolicy(policy, credential, "20260304"));
}

function verify(form: Map<string, string>, at: Partial<Parameters<typeof verifyUpload>[1]> = {}) {
  return verifyUpload(form, { bucket: "uploads", credential, now, ...at });
}

const refused = (statusCode: number, code: string, message: RegExp) =>
  expect.objectContaining({
    name: "UploadRefused",
    statusCode,
    code,
    message: expect.stringMatching(message),
  });

/** The example that AWS publishes as a test of implementations (Amazon S3 API reference, browser-based uploads). */
const awsExample = {
  credential: {
    id: "AKIAIOSFODNN7EXAMPLE",
    secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  },
  day: "20151229",
  policy: [
    '{ "expiration": "2015-12-30T12:00:00.000Z",',
    '  "conditions": [',
    '    {"bucket": "sigv4examplebucket"},',
    '    ["starts-with", "$key", "user/user1/"],',
    '    {"acl": "public-read"},',
    '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
    '    ["starts-with", "$Content-Type", "image/"],',
    '    {"x-amz-meta-uuid": "14365123651274"},',
    '    {"x-amz-server-side-encryption": "AES256"},',
    '    ["starts-with", "$x-amz-meta-tag", ""],',
    "",
    '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
    '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
    '    {"x-amz-date": "20151229T000000Z" }',
    "  ]",
    "}",
  ].join("\r\n"),
  signature: "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e",
};

describe("the signature", () => {
  test("the signature of the example published by AWS is the published one", () => {
    const policy = Buffer.from(awsExample.policy).toString("base64");
    expect(signPolicy(policy, awsExample.credential, awsExample.day)).toBe(awsExample.signature);
  });

  test.each([
    ["the secret", { ...awsExample.credential, secret: "x" }, awsExample.day],
    ["the region", { ...awsExample.credential, region: "eu-north-1" }, awsExample.day],
    ["the day", awsExample.credential, "20151230"],
  ])("the signature changes with %s", (_what, otherCredential, day) => {
    const policy = Buffer.from(awsExample.policy).toString("base64");
    expect(signPolicy(policy, otherCredential, day)).not.toBe(awsExample.signature);
  });
});

describe("a presigned upload", () => {
  test("a presigned upload has its fields in the order that clients expect, then the status of the answer", () => {
    const { fields } = presignUpload({
      ...options,
      credential: { ...credential, sessionToken: "temporary" },
    });
    expect(fields.map(({ name }) => name)).toEqual([
      "key",
      "bucket",
      "X-Amz-Algorithm",
      "X-Amz-Credential",
      "X-Amz-Date",
      "X-Amz-Security-Token",
      "Policy",
      "X-Amz-Signature",
      "success_action_status",
    ]);
  });

  test("a presigned upload has no security token when the credential is not a temporary one", () => {
    expect(formOf().has("x-amz-security-token")).toBe(false);
  });

  test("a presigned upload says where, how large and until when a file may be sent", () => {
    const { url, maxSize, lifetime } = presignUpload(options);
    expect({ url, maxSize, lifetime }).toEqual({
      url: "https://lading.test/uploads",
      maxSize: 1_000,
      lifetime: 900,
    });
  });

  test("the policy of a presigned upload fixes every field, the size and the expiry", () => {
    const scoped = "LADINGTEST/20260304/us-east-1/s3/aws4_request";
    expect(decodePolicy(formOf().get("policy")!)).toEqual({
      expiration: "2026-03-04T05:21:07.890Z",
      conditions: [
        { key },
        { bucket: "uploads" },
        { "x-amz-algorithm": "AWS4-HMAC-SHA256" },
        { "x-amz-credential": scoped },
        { "x-amz-date": "20260304T050607Z" },
        { success_action_status: "201" },
        ["content-length-range", 1, 1_000],
      ],
    });
  });
});

describe("the check of a form", () => {
  test.each(["key", "bucket", "x-amz-algorithm", "x-amz-credential", "policy", "x-amz-signature"])(
    "a form without %s is refused",
    (name) => {
      const form = formOf();
      form.delete(name);
      expect(() => verify(form)).toThrow(
        refused(400, "InvalidArgument", new RegExp(`no field ${name} before`)),
      );
    },
  );

  test.each(["x-amz-date", "success_action_status"])("a form without the policy's %s is refused", (name) => {
    const form = formOf();
    form.delete(name);
    expect(() => verify(form)).toThrow(refused(403, "AccessDenied", new RegExp(`field ${name} is not`)));
  });

  test("a form with another algorithm is refused", () => {
    const form = formOf().set("x-amz-algorithm", "AWS4-HMAC-SHA1");
    expect(() => verify(form)).toThrow(refused(400, "InvalidArgument", /AWS4-HMAC-SHA256/));
  });

  test.each([
    "LADINGTEST",
    "OTHER/20260304/us-east-1/s3/aws4_request",
    "LADINGTEST/20260304/eu-north-1/s3/aws4_request",
  ])("a form with the credential %s is refused", (value) => {
    const form = formOf().set("x-amz-credential", value);
    expect(() => verify(form)).toThrow(refused(403, "InvalidAccessKeyId", /x-amz-credential/));
  });

  test.each(["", "0", "é".repeat(64), "0".repeat(64)])("a form signed with %j is refused", (signature) => {
    const form = formOf().set("x-amz-signature", signature);
    expect(() => verify(form)).toThrow(refused(403, "SignatureDoesNotMatch", /signature/));
  });

  test("a form whose policy was signed with another secret is refused", () => {
    const form = formOf({ credential: { ...credential, secret: "another" } });
    expect(() => verify(form)).toThrow(refused(403, "SignatureDoesNotMatch", /signature/));
  });

  test("a form that was signed with the second secret is taken while there is one, and no third", () => {
    const form = formOf({ credential: { ...credential, secret: "second" } });
    expect(verify(form, { secondSecret: "second" }).key).toBe(key);
    expect(verify(formOf(), { secondSecret: "second" }).key).toBe(key);
    for (const secondSecret of [undefined, "", "third"])
      expect(() => verify(form, { secondSecret })).toThrow(
        refused(403, "SignatureDoesNotMatch", /signature/),
      );
  });

  test("a form whose policy was changed is refused", () => {
    const form = formOf();
    const policy = decodePolicy(form.get("policy")!);
    form.set("policy", encodePolicy({ ...policy, expiration: "2999-01-01T00:00:00.000Z" }));
    expect(() => verify(form)).toThrow(refused(403, "SignatureDoesNotMatch", /signature/));
  });

  test("a form is refused from the moment of its expiry, not before", () => {
    const form = formOf();
    const expiry = now.getTime() + 900_000;
    expect(verify(form, { now: new Date(expiry - 1) }).key).toBe(key);
    expect(() => verify(form, { now: new Date(expiry) })).toThrow(refused(403, "AccessDenied", /expired/));
  });

  test.each(["key", "bucket", "x-amz-date", "success_action_status"])("a changed %s is refused", (name) => {
    const form = formOf();
    form.set(name, `${form.get(name)}x`);
    expect(() => verify(form)).toThrow(refused(403, "AccessDenied", /Invalid according to Policy/));
  });

  test("a form with a field that the policy does not mention is refused", () => {
    const form = formOf().set("acl", "public-read");
    expect(() => verify(form)).toThrow(refused(403, "AccessDenied", /does not mention the field "acl"/));
  });

  test("a form for another bucket of the same credential is refused", () => {
    expect(() => verify(formOf(), { bucket: "media" })).toThrow(refused(403, "AccessDenied", /bucket/));
  });

  test("a form whose signed policy has an unknown kind of condition is refused", () => {
    const unknown = ["starts-with", "$key", "a"] as unknown as Policy["conditions"][number];
    const form = formWithPolicy((policy) => ({ ...policy, conditions: [...policy.conditions, unknown] }));
    expect(() => verify(form)).toThrow(refused(403, "AccessDenied", /starts-with/));
  });

  test("a form whose signed policy gives no size allows nothing", () => {
    const sized = (condition: Policy["conditions"][number]) => Array.isArray(condition);
    const form = formWithPolicy((policy) => ({
      ...policy,
      conditions: policy.conditions.filter((c) => !sized(c)),
    }));
    expect(verify(form).maxBytes).toBe(0);
  });

  test("the check of a form returns the key and the sizes that the policy allows", () => {
    expect(verify(formOf())).toEqual({ key, minBytes: 1, maxBytes: 1_000 });
  });

  test("the form of a temporary credential is accepted with its token, and not without", () => {
    const temporary = { ...credential, sessionToken: "temporary" };
    const form = formOf({ credential: temporary });
    expect(verify(form).key).toBe(key);
    form.delete("x-amz-security-token");
    expect(() => verify(form)).toThrow(refused(403, "AccessDenied", /x-amz-security-token/));
  });
});
