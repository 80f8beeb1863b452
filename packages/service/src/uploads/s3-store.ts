import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3";
import { type S3Options, s3Settings } from "../settings/settings.ts";
import { isSafeKey } from "./keys.ts";
import {
  checkedKey,
  checkedPrefix,
  type ListedObject,
  type ObjectStore,
  type ReadOptions,
  type StoredObject,
  storeErrors,
} from "./object-store.ts";
import { askS3, type S3Bucket, statusOf, unquoted, unusable } from "./s3-errors.ts";
import { putObject } from "./s3-put.ts";

/** The size of the first range read of an object, in bytes; each further one is twice as large, up to a limit. */
export const firstPiece = 256 * 1024;
/** The limit of a range, in bytes. */
export const largestPiece = 4 * 1024 * 1024;

/** Concurrent deletions. */
const deletionsAtOnce = 16;

/** The longest wait for the store at the start, in milliseconds. */
const startTimeout = 7_000;

/** Makes the client of a bucket, without the checksums that S3-compatible stores may not support. */
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
 * @throws StoreUnavailable when the bucket doesn't exist or access is denied
 */
export async function openS3Store(bucket: S3Bucket): Promise<ObjectStore> {
  const abortSignal = AbortSignal.timeout(startTimeout);
  const head = bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }), { abortSignal });
  await head.catch((error) => {
    throw unusable(bucket.name, error);
  });
  return {
    put: (key, body, limits) => putObject(bucket, key, body, limits, () => statObject(bucket, key)),
    stat: (key) => statObject(bucket, key),
    read: (key, options) => readObject(bucket, key, options),
    list: (prefix) => list(bucket, prefix),
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
 * Reads an object in pieces, each by a request for one version: a reader may be slow, a resumed one downloads nothing
 * twice, and a replaced file is noticed. Fetches the next piece while one is processed.
 */
async function* readObject(
  bucket: S3Bucket,
  key: string,
  { start = 0, end = Number.POSITIVE_INFINITY, etag }: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  const pinned = await statObject(bucket, key);
  if (pinned === undefined) throw storeErrors.missing(key);
  if (etag !== undefined && pinned.etag !== etag) throw storeErrors.changed(key);
  if (start > pinned.bytes) throw storeErrors.beyond(key, start, pinned.bytes);
  const stop = Math.min(end, pinned.bytes);
  let position = start;
  let size = firstPiece;
  const fetchNext = () => {
    const from = position;
    position = Math.min(stop, from + size);
    size = Math.min(largestPiece, 2 * size);
    const piece = readPiece(bucket, key, pinned.etag, from, position);
    piece.catch(() => {}); // The error is thrown where the piece is awaited.
    return piece;
  };
  let next = position < stop ? fetchNext() : undefined;
  while (next !== undefined) {
    const piece = await next;
    next = position < stop ? fetchNext() : undefined;
    yield piece;
  }
}

/** Reads the bytes from `from` to `to` (exclusive). The etag of the answer catches stores that ignore `If-Match`. */
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

async function* list(bucket: S3Bucket, prefix: string): AsyncGenerator<ListedObject> {
  // A folder made in a web console is an object, too.
  for await (const page of pagesOf(bucket, prefix)) yield* page.filter(({ key }) => isSafeKey(key));
}

/** Deletes objects one by one, because bulk deletion needs checksums that stores don't agree on. */
async function deleteAll(bucket: S3Bucket, prefix: string): Promise<void> {
  for await (const page of pagesOf(bucket, checkedPrefix(prefix)))
    for (let start = 0; start < page.length; start += deletionsAtOnce)
      await Promise.all(page.slice(start, start + deletionsAtOnce).map(({ key }) => deleteKey(bucket, key)));
}

/** Lists the objects under a prefix in pages, as the store sends them, ordered by key. */
async function* pagesOf({ client, name }: S3Bucket, prefix: string): AsyncGenerator<ListedObject[]> {
  for (let after: string | undefined; ; ) {
    const list = new ListObjectsV2Command({ Bucket: name, Prefix: prefix, StartAfter: after });
    const { Contents = [], IsTruncated } = await askS3(client.send(list));
    const page = Contents.flatMap(({ Key, Size = 0 }) =>
      Key === undefined ? [] : { key: Key, bytes: Size },
    );
    yield page;
    after = page.at(-1)?.key;
    if (!IsTruncated || after === undefined) return;
  }
}
