import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { concurrently } from "@lading/service/concurrently";
import { type Context, count, counted, note } from "../context.ts";
import { CliError, exitCode } from "../exit.ts";
import { failureOf } from "../files/json-input.ts";
import { graphql } from "../service/documents.ts";
import { type Endpoint, requestAny } from "../service/graphql.ts";
import { upload, uploadLimit } from "../service/upload.ts";
import type { LocalPicture } from "./local-pictures.ts";

/** Pictures read at a time to hash them, and sent at a time. */
const atOnce = { read: 4, sent: 8 } as const;

/** Pictures beyond which it is said beforehand that they are sent: it takes a while. */
const announced = 100;

/** Digests per question. */
const digestsPerQuery = 1_000;

/** A path in a file, and the key of its picture. */
export interface SentPicture {
  readonly path: string;
  readonly key: string;
}

interface HashedPicture extends LocalPicture {
  readonly sha256: string;
}

/**
 * Uploads the pictures that the tenant does not have yet, several at a time, and returns the keys of all.
 * @throws CliError that names the pictures that cannot be sent
 */
export async function sendPictures(
  context: Context,
  endpoint: Endpoint,
  pictures: readonly LocalPicture[],
): Promise<SentPicture[]> {
  if (pictures.length === 0) return [];
  const { interrupted } = context;
  await requireSmall(endpoint, pictures);
  const hashed = await concurrently(pictures, atOnce.read, async (picture): Promise<HashedPicture> => {
    if (picture.sha256 !== undefined) return { ...picture, sha256: picture.sha256 };
    const hash = createHash("sha256");
    for await (const chunk of bytesOf(picture, interrupted)) hash.update(chunk);
    return { ...picture, sha256: hash.digest("hex") };
  });
  const bySha256 = new Map(hashed.map((picture) => [picture.sha256, picture]));
  const keys = await storedPictures(endpoint, [...bySha256.keys()]);
  const missing = [...bySha256.values()].filter(({ sha256 }) => !keys.has(sha256));
  if (missing.length > announced) note(context, `Sending ${counted(missing.length, "picture")} …`);
  await concurrently(missing, atOnce.sent, async (picture) => {
    const { path, size, sha256 } = picture;
    const file = { size, read: () => unchanged(picture, interrupted) };
    const as = { type: "MEDIA", contentType: "application/octet-stream", sha256 } as const;
    keys.set(sha256, await upload(endpoint, file, basename(path), interrupted, as));
  });
  const had = bySha256.size - missing.length;
  const rest = had === 0 ? "" : `; the service had ${count(had)} already`;
  note(context, `Sent ${counted(missing.length, "picture")}${rest}.`);
  return hashed.map(({ path, sha256 }) => ({ path, key: keys.get(sha256) ?? "" }));
}

/** @throws CliError that names pictures larger than the tenant's limit */
export async function requireSmall(endpoint: Endpoint, pictures: readonly LocalPicture[]): Promise<void> {
  const limit = await uploadLimit(endpoint);
  const large = pictures.filter(({ size }) => size > limit);
  if (large.length === 0) return;
  throw new CliError([
    ...large.map(
      ({ path, size }) =>
        `the picture ${path} has ${count(size)} bytes; the tenant's limit is ${count(limit)}`,
    ),
    "Nothing was sent.",
  ]);
}

const query = graphql(`
  query StoredPictures($sha256: [String!]!) {
    storedPictures(sha256: $sha256) { sha256 key }
  }`);

/** Asks which pictures the tenant has; returns their keys by SHA-256. */
async function storedPictures(endpoint: Endpoint, digests: readonly string[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (let at = 0; at < digests.length; at += digestsPerQuery) {
    const sha256 = digests.slice(at, at + digestsPerQuery);
    const answer = await requestAny<{ storedPictures?: unknown }>(endpoint, String(query), { sha256 });
    for (const { sha256, key } of picturesIn(answer.storedPictures)) keys.set(sha256, key);
  }
  return keys;
}

function picturesIn(answer: unknown): { sha256: string; key: string }[] {
  const isPicture = (each: { sha256?: unknown; key?: unknown } | null) =>
    typeof each?.sha256 === "string" && typeof each.key === "string";
  if (Array.isArray(answer) && answer.every(isPicture)) return answer;
  throw new CliError("the service answered a question about pictures with something else");
}

/** @throws CliError when it cannot be read */
async function* bytesOf({ path, file }: LocalPicture, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { signal });
  } catch (error) {
    if (signal.aborted) throw new CliError("interrupted", exitCode.interrupted);
    throw failureOf(error, `the picture ${path}`);
  }
}

/** Reads a picture again. The last bytes only follow once all are known to be those of before. */
async function* unchanged(picture: HashedPicture, signal: AbortSignal): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let held: Buffer | undefined;
  for await (const chunk of bytesOf(picture, signal)) {
    if (held !== undefined) yield held;
    hash.update(chunk);
    held = chunk;
  }
  if (hash.digest("hex") !== picture.sha256)
    throw new CliError(
      `the picture ${picture.path} was changed while this command read it. Nothing was started: run the command again`,
    );
  if (held !== undefined) yield held;
}
