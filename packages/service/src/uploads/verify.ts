import { decodePolicy, type Policy } from "./policy.ts";
import {
  algorithm,
  type SigningCredential,
  sameSignature,
  scopedCredential,
  signPolicy,
} from "./signature.ts";

/** The upload a form allows: one file of this size, in bytes, to this key. */
export interface AllowedUpload {
  key: string;
  minBytes: number;
  maxBytes: number;
}

export interface VerifyOptions {
  bucket: string;
  credential: SigningCredential;
  /** A second accepted secret of the credential. */
  secondSecret?: string | undefined;
  now: Date;
}

const requiredFields = ["key", "bucket", "x-amz-algorithm", "x-amz-credential", "policy", "x-amz-signature"];

/**
 * Checks the fields of an upload form (lower-case names) against the policy among them: signed by us, not expired, for
 * this bucket, each of its conditions met, and no field that it doesn't mention.
 * @throws UploadRefused 400 InvalidArgument; 403 InvalidAccessKeyId, SignatureDoesNotMatch or AccessDenied.
 */
export function verifyUpload(fields: ReadonlyMap<string, string>, options: VerifyOptions): AllowedUpload {
  const absent = requiredFields.find((name) => !fields.has(name));
  if (absent) {
    const message = `The form has no field ${absent} before the file; send all fields of the presigned request first.`;
    throw new UploadRefused(400, "InvalidArgument", message);
  }
  const encoded = checkSignature(fields, options);
  const policy = decodePolicy(encoded);
  if (Date.parse(policy.expiration) <= options.now.getTime()) {
    throw denied(`Policy expired at ${policy.expiration}; request a new upload.`);
  }
  if (fields.get("bucket") !== options.bucket) throw denied("This is not the bucket of the policy.");
  return { key: fields.get("key")!, ...checkConditions(fields, policy) };
}

function checkSignature(
  fields: ReadonlyMap<string, string>,
  { credential, secondSecret }: VerifyOptions,
): string {
  const claimed = fields.get("x-amz-credential")!;
  const day = claimed.split("/")[1] ?? "";
  if (fields.get("x-amz-algorithm") !== algorithm) {
    throw new UploadRefused(400, "InvalidArgument", `The field x-amz-algorithm must be ${algorithm}.`);
  }
  if (!/^\d{8}$/.test(day) || claimed !== scopedCredential(credential, day)) {
    throw new UploadRefused(
      403,
      "InvalidAccessKeyId",
      "The field x-amz-credential names no credential of this store.",
    );
  }
  const policy = fields.get("policy")!;
  const secrets = [credential.secret, ...(secondSecret ? [secondSecret] : [])];
  const fits = (secret: string) =>
    sameSignature(fields.get("x-amz-signature")!, signPolicy(policy, { ...credential, secret }, day));
  if (!secrets.some(fits)) {
    const message = "The signature does not fit the policy; send every field exactly as it was given.";
    throw new UploadRefused(403, "SignatureDoesNotMatch", message);
  }
  return policy;
}

/** Returns the range of sizes; a policy without one allows nothing. */
function checkConditions(fields: ReadonlyMap<string, string>, policy: Policy) {
  // These two carry and sign the policy, so it cannot mention them.
  const mentioned = new Set(["policy", "x-amz-signature"]);
  const range = { minBytes: 0, maxBytes: 0 };
  for (const condition of policy.conditions) {
    if (Array.isArray(condition)) {
      if (condition[0] !== "content-length-range")
        throw denied(`Conditions ${condition[0]} are not supported.`);
      [, range.minBytes, range.maxBytes] = condition;
      continue;
    }
    for (const [field, value] of Object.entries(condition)) {
      const name = field.toLowerCase();
      if (fields.get(name) !== value) throw denied(`The field ${name} is not what the policy says.`);
      mentioned.add(name);
    }
  }
  const extra = fields.keys().find((name) => !mentioned.has(name));
  if (extra !== undefined)
    throw denied(`The policy does not mention the field ${JSON.stringify(extra.slice(0, 50))}.`);
  return range;
}

function denied(reason: string): UploadRefused {
  return new UploadRefused(403, "AccessDenied", `Invalid according to Policy: ${reason}`);
}

/** A refused upload in S3's terms: an HTTP status, a code for programs and a message for people. */
export class UploadRefused extends Error {
  override readonly name = "UploadRefused";
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}
