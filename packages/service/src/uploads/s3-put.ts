import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { checkedKey, limitSize, type SizeLimits, type StoredObject, storeErrors } from "./object-store.ts";
import { askS3, type S3Bucket, statusOf, unquoted } from "./s3-errors.ts";

/** The size of a part, which is buffered in memory. S3 takes at least 5 MiB a part, and up to 10,000 parts. */
const partBytes = 8 * 1024 * 1024;

/** Makes the store refuse an existing key. For stores that ignore the condition, the key is checked beforehand. */
const ifAbsent = { IfNoneMatch: "*" };

/**
 * Writes a new object of unknown length: in one request if it fits into a part, else in parts that become the object
 * atomically. `stat` finds an object that exists already.
 */
export async function putObject(
  bucket: S3Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  limits: SizeLimits,
  stat: () => Promise<StoredObject | undefined>,
): Promise<StoredObject> {
  if (await stat()) throw storeErrors.exists(checkedKey(key));
  const parts = inParts(limitSize(key, body, limits));
  const first = await parts.next();
  const only = first.done ? Buffer.alloc(0) : first.value;
  try {
    if (only.length < partBytes) return await putWhole(bucket, key, only);
    return await putParts(bucket, key, only, parts);
  } catch (error) {
    throw statusOf(error) === 412 || statusOf(error) === 409 ? storeErrors.exists(key) : error;
  }
}

async function putWhole({ client, name }: S3Bucket, key: string, body: Buffer): Promise<StoredObject> {
  const request = new PutObjectCommand({ Bucket: name, Key: key, Body: body, ...ifAbsent });
  const { ETag } = await askS3(client.send(request));
  return { bytes: body.length, etag: unquoted(ETag) };
}

async function putParts(
  { client, name }: S3Bucket,
  key: string,
  first: Buffer,
  rest: AsyncIterable<Buffer>,
): Promise<StoredObject> {
  const target = { Bucket: name, Key: key };
  const { UploadId } = await askS3(client.send(new CreateMultipartUploadCommand(target)));
  const upload = { ...target, UploadId };
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    let bytes = 0;
    const send = async (Body: Buffer) => {
      const PartNumber = Parts.length + 1;
      const request = new UploadPartCommand({ ...upload, PartNumber, Body });
      Parts.push({ PartNumber, ETag: (await askS3(client.send(request))).ETag });
      bytes += Body.length;
    };
    await send(first);
    for await (const part of rest) await send(part);
    const complete = new CompleteMultipartUploadCommand({
      ...upload,
      MultipartUpload: { Parts },
      ...ifAbsent,
    });
    const { ETag } = await askS3(client.send(complete));
    return { bytes, etag: unquoted(ETag) };
  } catch (error) {
    // If the abort fails, the bucket's life-cycle rule for unfinished uploads cleans up.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}

/** Splits a body into parts of equal size; the last may be smaller, and an empty body has none. */
async function* inParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    const whole = Buffer.concat(waiting);
    const full = whole.length - (whole.length % partBytes);
    for (let start = 0; start < full; start += partBytes) yield whole.subarray(start, start + partBytes);
    waiting = full < whole.length ? [whole.subarray(full)] : [];
    bytes = whole.length - full;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
