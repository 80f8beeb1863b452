import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3";
import { type S3Options, s3Settings } from "../settings.ts";
import {
  checkedKey,
  checkedPrefix,
  type ObjectStore,
  type ReadOptions,
  type StoredObject,
  storeErrors,
} from "./object-store.ts";
import { askS3, type S3Bucket, statusOf, unavailable, unquoted } from "./s3-errors.ts";
import { putObject } from "./s3-put.ts";

/** The first piece that is read of an object, in bytes; each further one is twice as large, up to the largest. */
const firstPiece = 256 * 1024;
const largestPiece = 4 * 1024 * 1024;

/** Deletions that are asked for at once. */
const deletionsAtOnce = 16;

/** How long the store is waited for at the start, in milliseconds. */
const firstAnswer = 7_000;

/** The client of a bucket; checksums that S3-compatible stores may not know are left out. */
export function s3Bucket(options: S3Options): S3Bucket {
  const { bucket, endpoint, region = s3Settings.region.default, accessKeyId, secretAccessKey } = options;
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: options.pathStyle ?? endpoint !== undefined,
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
  });
  return { client, name: bucket };
}

/**
 * Opens a bucket of S3, or of a store that speaks its protocol, as an object store.
 * @throws StoreUnavailable when the bucket is not there or may not be used
 */
export async function openS3Store(bucket: S3Bucket): Promise<ObjectStore> {
  const abortSignal = AbortSignal.timeout(firstAnswer);
  const head = bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }), { abortSignal });
  await askS3(head).catch((error) => {
    throw unavailable(`the bucket ${bucket.name} cannot be used`, error);
  });
  return {
    put: (key, body, limits) => putObject(bucket, key, body, limits, () => statObject(bucket, key)),
    stat: (key) => statObject(bucket, key),
    read: (key, options) => readObject(bucket, key, options),
    delete: (key) => deleteObject(bucket, key),
    deleteAll: (prefix) => deleteAll(bucket, prefix),
  };
}

async function statObject({ client, name }: S3Bucket, key: string): Promise<StoredObject | undefined> {
  const request = new HeadObjectCommand({ Bucket: name, Key: checkedKey(key) });
  try {
    const { ContentLength = 0, ETag } = await askS3(client.send(request));
    return { bytes: ContentLength, etag: unquoted(ETag) };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/**
 * Reads piece by piece, each by a request that names the version it wants: so a reader may take its time, a resumed one
 * does not download what it has seen, and a file that was replaced is noticed. The next piece is fetched meanwhile.
 */
async function* readObject(
  bucket: S3Bucket,
  key: string,
  { start = 0, etag }: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  const pinned = await statObject(bucket, key);
  if (pinned === undefined) throw storeErrors.missing(key);
  if (etag !== undefined && pinned.etag !== etag) throw storeErrors.changed(key);
  if (start > pinned.bytes) throw storeErrors.beyond(key, start, pinned.bytes);
  let position = start;
  let size = firstPiece;
  const fetchNext = () => {
    const from = position;
    position = Math.min(pinned.bytes, from + size);
    size = Math.min(largestPiece, 2 * size);
    const piece = readPiece(bucket, key, pinned.etag, from, position);
    piece.catch(() => {}); // whoever asks for it is told
    return piece;
  };
  let next = position < pinned.bytes ? fetchNext() : undefined;
  while (next !== undefined) {
    const piece = await next;
    next = position < pinned.bytes ? fetchNext() : undefined;
    yield piece;
  }
}

/** The bytes from `from` up to and without `to`. A store that does not know `If-Match` shows by its answer what it sent. */
async function readPiece(
  { client, name }: S3Bucket,
  key: string,
  etag: string,
  from: number,
  to: number,
): Promise<Uint8Array> {
  const range = `bytes=${from}-${to - 1}`;
  const request = new GetObjectCommand({ Bucket: name, Key: key, Range: range, IfMatch: `"${etag}"` });
  try {
    const answer = await askS3(client.send(request));
    const bytes = await askS3(answer.Body!.transformToByteArray());
    if (unquoted(answer.ETag) !== etag || bytes.length !== to - from) throw storeErrors.changed(key);
    return bytes;
  } catch (error) {
    if (statusOf(error) === 404) throw storeErrors.missing(key);
    if (statusOf(error) === 412 || statusOf(error) === 416) throw storeErrors.changed(key);
    throw error;
  }
}

const deleteObject = async (bucket: S3Bucket, key: string) => deleteKey(bucket, checkedKey(key));

async function deleteKey({ client, name }: S3Bucket, key: string): Promise<void> {
  await askS3(client.send(new DeleteObjectCommand({ Bucket: name, Key: key })));
}

/** One request for each object: a request for many needs checksums that stores do not agree on. */
async function deleteAll(bucket: S3Bucket, prefix: string): Promise<void> {
  const { client, name } = bucket;
  for (let after: string | undefined; ; ) {
    const list = new ListObjectsV2Command({ Bucket: name, Prefix: checkedPrefix(prefix), StartAfter: after });
    const { Contents = [], IsTruncated } = await askS3(client.send(list));
    const keys = Contents.flatMap(({ Key }) => Key ?? []);
    for (let start = 0; start < keys.length; start += deletionsAtOnce)
      await Promise.all(keys.slice(start, start + deletionsAtOnce).map((key) => deleteKey(bucket, key)));
    after = keys.at(-1);
    if (!IsTruncated || after === undefined) return;
  }
}
