import { randomBytes } from "node:crypto";
import { type S3Options, s3Settings } from "../settings/settings.ts";
import { errorMessage } from "../system/thrown.ts";
import { openS3Uploads, type Uploads } from "../uploads/open.ts";
import type { PresignedUpload } from "../uploads/policy.ts";

/** Bytes of the file that is uploaded; one more must be refused. */
const bytes = 1_000;
const lifetimeSeconds = 60;
/** Time for the store's answer, in milliseconds. */
const timeout = 10_000;

/**
 * Uploads to a bucket as clients do: a file of the signed size, which must be taken, and a larger one, which must be
 * refused. Deletes both. Returns the problem, if there is one.
 */
export async function examineBucket(options: S3Options): Promise<string | undefined> {
  try {
    const uploads = await openS3Uploads(options);
    const { bucket } = options;
    const { isStored, method, answer } = await tried(uploads, bytes);
    if (!isStored && method === "PUT")
      return `the bucket ${bucket} does not take a presigned PUT (${answer})`;
    if (!isStored)
      return (
        `the bucket ${bucket} does not take a presigned form (${answer}): ` +
        `if its store has no forms, set ${s3Settings.uploads.variable}=put`
      );
    if ((await tried(uploads, bytes + 1)).isStored)
      return (
        `the bucket ${bucket} takes a larger file than was signed, so clients can fill it: ` +
        "the tenants' limits hold only when a file is used"
      );
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Uploads a file of some bytes with a request for `bytes`; says whether it is stored, and what the store answered. */
async function tried({ store, presign }: Uploads, size: number) {
  const key = `lading-doctor/${randomBytes(16).toString("hex")}`;
  const presigned = await presign({ key, maxBytes: bytes, bytes, lifetimeSeconds });
  try {
    const answer = await send(presigned, Buffer.alloc(size, "x"));
    return { isStored: (await store.stat(key)) !== undefined, method: presigned.method, answer };
  } finally {
    await store.delete(key);
  }
}

async function send({ method, url, fields }: PresignedUpload, file: Buffer<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  for (const { name, value } of fields) form.append(name, value);
  form.append("file", new Blob([file]), "doctor");
  const body = method === "POST" ? form : file;
  try {
    const response = await fetch(url, { method, body, signal: AbortSignal.timeout(timeout) });
    const text = await response.text();
    const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1];
    return [response.status, code ?? response.statusText].filter(Boolean).join(" ");
  } catch (error) {
    return errorMessage(error instanceof Error ? (error.cause ?? error) : error);
  }
}
