import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { imageTypes } from "../../media/image-types.ts";
import type { ImageRow } from "../../storage/collections/images.ts";
import type { Database } from "../../storage/database.ts";
import { imageToServe } from "../../storage/queries/images.ts";
import { isSafeKey, tenantOfKey } from "../../uploads/keys.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { objectUrl } from "../../uploads/policy.ts";
import { HttpFailure } from "../http-failure.ts";
import { byteRange, namesTag } from "./request-headers.ts";

const path = "/images";

export const imageUrl = (publicUrl: string, key: string): string => objectUrl(publicUrl, path.slice(1), key);

/** The path of `imageUrl`. */
export const imagePath = (key: string): string => `${path}/${key}`;

/** The content of a key never changes, so it can be cached for HTTP's maximum, a year. */
const cacheControl = "public, max-age=31536000, immutable";

type ImageRequest = FastifyRequest<{ Params: { "*": string } }>;

/**
 * Adds `GET` and `HEAD /images/<key>`, which serve a registered image to anyone who knows its key. Supports conditional
 * and range requests. Headers make browsers treat it as nothing but an image, and download drawings instead of opening
 * them.
 */
export function imageRoutes(
  app: FastifyInstance,
  services: { database: Database; store: ObjectStore },
): void {
  const handler = async (request: ImageRequest, reply: FastifyReply) => {
    const image = await findImage(services.database, request.params["*"]);
    if (image === undefined) throw new HttpFailure(404, "NotFound", `There is no image at ${request.url}.`);
    return answer(request, describe(reply, image), image, services.store);
  };
  app.get(`${path}/*`, { exposeHeadRoute: false }, handler);
  app.head(`${path}/*`, handler);
}

async function findImage(database: Database, key: string): Promise<ImageRow | undefined> {
  if (!isSafeKey(key)) return undefined;
  return imageToServe(database, tenantOfKey(key), key);
}

/** The part of a key that names its content, since a key is written only once. */
export const contentTag = ({ key }: ImageRow) => key.split("/").at(-2);

const entityTag = (image: ImageRow) => `"${contentTag(image)}"`;

function describe(reply: FastifyReply, image: ImageRow): FastifyReply {
  const type = Object.values(imageTypes).find(({ mimeType }) => mimeType === image.mimeType);
  const name = image.key.split("/").at(-1);
  return reply.headers({
    "content-type": image.mimeType,
    "content-disposition": `${type?.inline ? "inline" : "attachment"}; filename="${name}"`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": cacheControl,
    etag: entityTag(image),
    "last-modified": new Date(image.createdAt).toUTCString(),
    "accept-ranges": "bytes",
  });
}

function answer({ headers, method }: ImageRequest, reply: FastifyReply, image: ImageRow, store: ObjectStore) {
  if (isKnown(headers, image)) return reply.code(304).send();
  const range = mayBePart(headers, image) ? byteRange(headers.range, image.size) : undefined;
  if (range === "unsatisfiable")
    return reply
      .code(416)
      .header("content-range", `bytes */${image.size}`)
      .removeHeader("cache-control")
      .send();
  if (range !== undefined)
    reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${image.size}`);
  const part = range ?? { start: 0, end: image.size - 1 };
  reply.header("content-length", part.end - part.start + 1);
  const bytes = () => Readable.from(store.read(image.key, { start: part.start, end: part.end + 1 }));
  return reply.send(method === "HEAD" ? undefined : bytes());
}

/** True when the client has the image already; `If-None-Match` takes precedence over a date (RFC 9110, 13.2.2). */
function isKnown(headers: ImageRequest["headers"], image: ImageRow): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) return namesTag(tags, entityTag(image));
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return since >= Math.floor(Date.parse(image.createdAt) / 1_000) * 1_000;
}

/** True when a range may be answered: `If-Range` asks for a part of one version only. */
function mayBePart(headers: ImageRequest["headers"], image: ImageRow): boolean {
  const begun = headers["if-range"];
  return begun === undefined || begun === entityTag(image);
}
