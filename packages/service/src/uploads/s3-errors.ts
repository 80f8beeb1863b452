import type { S3Client } from "@aws-sdk/client-s3";
import { errorCode, errorMessage } from "../thrown.ts";
import { StoreUnavailable } from "./object-store.ts";

/** A bucket and who asks for it. */
export interface S3Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/** Statuses that say something of the object; any other failure says something of the store. */
const aboutObjects = [404, 409, 412, 416];

/** The HTTP status that an error of the SDK stands for. */
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

/** The SDK's errors often have no message, but always a name; some are several, one for each address that was tried. */
export function unavailable(what: string, error: unknown): StoreUnavailable {
  const name = errorCode(error) || (error instanceof Error ? error.name : "");
  const reason = [statusOf(error), name, errorMessage(error)].filter(Boolean).join(" ");
  return new StoreUnavailable(`${what}: ${reason}`, { cause: error });
}

/** An ETag as HTTP has it, without its quotes. */
export const unquoted = (etag: string | undefined): string => (etag ?? "").replace(/^"|"$/g, "");
