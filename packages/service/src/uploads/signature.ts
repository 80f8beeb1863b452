import { createHmac, timingSafeEqual } from "node:crypto";

export const algorithm = "AWS4-HMAC-SHA256";

/** The key that signs upload policies: the service's own for the embedded store, an AWS one for S3. */
export interface SigningCredential {
  id: string;
  secret: string;
  /** Default `us-east-1`, as S3-compatible stores assume. */
  region?: string;
  /** Only of temporary AWS credentials. */
  sessionToken?: string;
}

/** A credential bound to a day, `<id>/<yyyymmdd>/<region>/s3/aws4_request`, as AWS Signature Version 4 writes it. */
export function scopedCredential(credential: SigningCredential, day: string): string {
  return [credential.id, ...scope(credential, day)].join("/");
}

/**
 * Signs the text of a policy (base64, exactly as sent) for one day (`yyyymmdd`) as AWS Signature Version 4 does for
 * browser-based uploads. Returns 64 lowercase hex digits.
 */
export function signPolicy(policy: string, credential: SigningCredential, day: string): string {
  const steps = scope(credential, day);
  const key = steps.reduce<string | Buffer>((secret, step) => hmac(secret, step), `AWS4${credential.secret}`);
  return hmac(key, policy).toString("hex");
}

/** Compares two signatures in constant time. */
export function sameSignature(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function scope({ region = "us-east-1" }: SigningCredential, day: string): string[] {
  return [day, region, "s3", "aws4_request"];
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
