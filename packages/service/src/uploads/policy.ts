import type { SigningCredential } from "./signature.ts";
import { algorithm, scopedCredential, signPolicy } from "./signature.ts";

/** One field of a form, in the order in which it must be sent. */
export interface FormField {
  name: string;
  value: string;
}

/** A form POST with all fields and then the file, or a PUT of the file alone: then the only field is its key. */
export type UploadMethod = "POST" | "PUT";

/** A request that uploads one file. */
export interface PresignedUpload {
  method: UploadMethod;
  url: string;
  fields: FormField[];
  /** In bytes. */
  maxSize: number;
  /** In seconds from now. */
  lifetime: number;
}

export interface NewUpload {
  key: string;
  maxBytes: number;
  /** The size of the file, if the client gives it: a presigned PUT takes no other. */
  bytes?: number | undefined;
  lifetimeSeconds: number;
}

/** Presigns the upload of one file to one key, for `lifetimeSeconds`. */
export type PresignUpload = (upload: NewUpload) => Promise<PresignedUpload>;

export interface PresignOptions {
  key: string;
  maxBytes: number;
  lifetimeSeconds: number;
  /** The URL of the store; the bucket is the first segment of the path (path-style, as in S3). */
  publicUrl: string;
  bucket: string;
  credential: SigningCredential;
  now: Date;
}

/** The signed JSON document: its expiry, and the conditions on the form. */
export interface Policy {
  /** ISO 8601, UTC. */
  expiration: string;
  /** Exact values of fields, or the inclusive range of the file's size in bytes. */
  conditions: (Record<string, string> | ["content-length-range", number, number])[];
}

/**
 * Presigns the upload of one file to one key as an S3 POST policy (AWS Signature Version 4), so that the embedded store
 * and S3 take the same form. The policy fixes every field, and limits the file to 1 … maxBytes bytes; the client
 * chooses the name and type of the file.
 *
 * `success_action_status` makes S3 answer 201, which clients expect, instead of 204. It comes last, so that the order
 * of the other fields stays the documented one; S3 only needs it before the file.
 */
export function presignUpload(options: PresignOptions): PresignedUpload {
  const { key, bucket, credential, maxBytes, lifetimeSeconds, now } = options;
  const date = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = date.slice(0, 8);
  const signed: FormField[] = [
    { name: "key", value: key },
    { name: "bucket", value: bucket },
    { name: "X-Amz-Algorithm", value: algorithm },
    { name: "X-Amz-Credential", value: scopedCredential(credential, day) },
    { name: "X-Amz-Date", value: date },
  ];
  if (credential.sessionToken) signed.push({ name: "X-Amz-Security-Token", value: credential.sessionToken });
  const status: FormField = { name: "success_action_status", value: "201" };
  const expiration = new Date(now.getTime() + lifetimeSeconds * 1000).toISOString();
  const policy = encodePolicy({
    expiration,
    conditions: [...[...signed, status].map(condition), ["content-length-range", 1, maxBytes]],
  });
  const signature = { name: "X-Amz-Signature", value: signPolicy(policy, credential, day) };
  return {
    method: "POST",
    url: objectUrl(options.publicUrl, bucket),
    fields: [...signed, { name: "Policy", value: policy }, signature, status],
    maxSize: maxBytes,
    lifetime: lifetimeSeconds,
  };
}

/** Returns the URL of a bucket, or of a key in it: `<publicUrl>/<bucket>[/<key>]`. */
export function objectUrl(publicUrl: string, ...segments: string[]): string {
  return [publicUrl.replace(/\/+$/, ""), ...segments].join("/");
}

/** Encodes a policy as in the form: base64 of its JSON. */
export function encodePolicy(policy: Policy): string {
  return Buffer.from(JSON.stringify(policy)).toString("base64");
}

/** Decodes a policy of `encodePolicy`. Call it only after checking its signature. */
export function decodePolicy(policy: string): Policy {
  return JSON.parse(Buffer.from(policy, "base64").toString("utf8"));
}

function condition({ name, value }: FormField): Record<string, string> {
  return { [name.toLowerCase()]: value };
}
