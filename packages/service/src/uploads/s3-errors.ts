import type { S3Client } from "@aws-sdk/client-s3";
import { errorCode, errorMessage } from "../system/thrown.ts";
import { StoreUnavailable } from "./object-store.ts";

export interface S3Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/** Statuses that concern the object; any other failure concerns the store. */
const aboutObjects = [404, 409, 412, 416];

/** Returns the HTTP status of an error of the SDK. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

/** Passes an answer on; a failure that doesn't concern the object becomes `StoreUnavailable`. */
export async function askS3<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (aboutObjects.includes(statusOf(error) ?? 0)) throw error;
    throw unavailable("the object store failed", error);
  }
}

/** Describes an error of the SDK, which often has no message, but always a name or code. */
function reasonOf(error: unknown): string {
  const name = errorCode(error) || (error instanceof Error ? error.name : "");
  return [statusOf(error), name, errorMessage(error)].filter(Boolean).join(" ");
}

const unavailable = (what: string, error: unknown): StoreUnavailable =>
  new StoreUnavailable(`${what}: ${reasonOf(error)}`, { cause: error });

/** Says what is wrong with a bucket or its settings, and how to fix it. */
function bucketAdvice(error: unknown): string {
  const status = statusOf(error);
  if (status === 404) return "there is no such bucket: create it, or correct its name";
  if (status === 403)
    return "the store refuses the access key: correct it and its secret, or allow it the bucket";
  if (status === 301) return "the bucket is in another region: correct the region";
  if (error instanceof Error && error.name === "CredentialsProviderError")
    return "there is no access key: set it and its secret";
  return status === undefined
    ? "the store does not answer: start it, or correct its endpoint"
    : "the store refuses the request";
}

/** Makes the error of a bucket that is unusable from the start. */
export const unusable = (bucket: string, error: unknown): StoreUnavailable =>
  new StoreUnavailable(`the bucket ${bucket} cannot be used (${reasonOf(error)}): ${bucketAdvice(error)}`, {
    cause: error,
  });

export const unquoted = (etag: string | undefined): string => (etag ?? "").replace(/^"|"$/g, "");
