import type { S3Client } from "@aws-sdk/client-s3";
import { errorCode, errorMessage } from "../system/thrown.ts";
import { StoreUnavailable } from "./object-store.ts";

/** A bucket and the client for it. */
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

/** Passes an answer on; a failure that is not about the object becomes `StoreUnavailable`. */
export async function askS3<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (aboutObjects.includes(statusOf(error) ?? 0)) throw error;
    throw unavailable("the object store failed", error);
  }
}

/** Makes the error of a store that failed. Errors of the SDK often have no message, but always a name or code. */
export function unavailable(what: string, error: unknown): StoreUnavailable {
  const name = errorCode(error) || (error instanceof Error ? error.name : "");
  const reason = [statusOf(error), name, errorMessage(error)].filter(Boolean).join(" ");
  return new StoreUnavailable(`${what}: ${reason}`, { cause: error });
}

/** Removes the quotes of an ETag. */
export const unquoted = (etag: string | undefined): string => (etag ?? "").replace(/^"|"$/g, "");
