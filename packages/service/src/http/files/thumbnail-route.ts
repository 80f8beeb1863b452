import { quoted } from "@lading/schema/internal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { openThumbnails } from "../../media/thumbnails/thumbnails.ts";
import type { ImageRow } from "../../storage/collections/images.ts";
import { imagesByKey } from "../../storage/queries/images.ts";
import { isUploadKey, type ThumbnailWidth, thumbnailWidths } from "../../uploads/keys.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { type Access, callerOf } from "../access.ts";
import { HttpFailure } from "../http-failure.ts";
import type { UnreadAnswers } from "../limits/unread-answers.ts";
import { contentTag, imagePath } from "./image-routes.ts";
import { namesTag } from "./request-headers.ts";

type ThumbnailRequest = FastifyRequest<{ Params: { tenant: string; width: string; "*": string } }>;

/** A thumbnail never changes; browsers, and no one else, may keep it for HTTP's maximum, a year. */
const cacheControl = "private, max-age=31536000, immutable";

/**
 * Adds `GET` and `HEAD /@{tenant}/thumbnails/{width}/{key}`: a registered image of the tenant in WebP, at most that
 * wide. Redirects to the image itself if none can be made. Refuses another width with 400, an unknown image with 404.
 */
export function thumbnailRoute(
  app: FastifyInstance,
  { store, logger, unread }: { store: ObjectStore; logger: Logger; unread: UnreadAnswers },
  access: Access,
): void {
  const thumbnails = openThumbnails(store, logger);
  // Requests in progress get the image itself, and don't delay the end of the service.
  app.addHook("preClose", async () => thumbnails.close());
  const handler = async (request: ThumbnailRequest, reply: FastifyReply) => {
    const width = requireWidth(request.params.width);
    const image = await requireImage(request);
    const etag = `"${contentTag(image)}-${width}"`;
    const { "if-none-match": tags } = request.headers;
    if (tags !== undefined && namesTag(tags, etag))
      return reply.code(304).headers({ etag, "cache-control": cacheControl }).send();
    const isRegistered = async () => (await findImage(request)) !== undefined;
    const isAwaited = () => !reply.raw.destroyed;
    const thumbnail = await thumbnails.get({ image, width, isAwaited, isRegistered });
    if (thumbnail === undefined) return reply.redirect(imagePath(image.key));
    unread.add(callerOf(request).tenant.id, reply.raw, thumbnail.length);
    return describe(reply, etag).send(thumbnail);
  };
  const path = "/@:tenant/thumbnails/:width/*";
  const options = { onRequest: access.tenant };
  app.get(path, { ...options, exposeHeadRoute: false }, handler);
  app.head(path, options, handler);
}

const describe = (reply: FastifyReply, etag: string): FastifyReply =>
  reply.headers({
    "content-type": "image/webp",
    "content-disposition": "inline",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": cacheControl,
    etag,
  });

function requireWidth(given: string): ThumbnailWidth {
  const width = thumbnailWidths.find((each) => String(each) === given);
  if (width !== undefined) return width;
  const message = `There is no thumbnail of the width ${quoted(given)}; the widths are ${thumbnailWidths.join(", ")}.`;
  throw new HttpFailure(400, "ValidationError", message);
}

async function requireImage(request: ThumbnailRequest): Promise<ImageRow> {
  const image = await findImage(request);
  if (image !== undefined) return image;
  const message = `The tenant has no image with the key ${quoted(request.params["*"])}.`;
  throw new HttpFailure(404, "ImageNotFoundError", message);
}

async function findImage(request: ThumbnailRequest): Promise<ImageRow | undefined> {
  const { tenant, database } = callerOf(request);
  const key = request.params["*"];
  if (!isUploadKey(key, tenant.id, "MEDIA")) return undefined;
  return (await imagesByKey(database, tenant.id, [key])).get(key);
}
